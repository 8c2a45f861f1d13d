/** Requests as the bytes that go over the wire. */
import type { Request } from "../interface/request.ts";

const FRAMES = /^(?:content-length|transfer-encoding)/i;
/** RFC 9110, 8.6: without a body these say so. */
const TAKE_BODIES = ["POST", "PUT", "PATCH"];
const CHUNK_BYTES = 16 * 1024;

/**
 * A request as it goes over the wire, its body in chunks where it says so. `headers`: lines beside its own, in place of its
 * framing where they frame the body; `announced`: another Content-Length, bytes.
 */
export function wireForm(
  origin: string,
  request: Request,
  headers: readonly string[] = [],
  announced?: number,
): Buffer {
  const { method, body } = request;
  const isFramed = headers.some((line) => FRAMES.test(line));
  const isChunked = !isFramed && request.chunked === true && body.byteLength > 0;
  let head = `${method} ${request.path} HTTP/1.1\r\n`;
  if (!request.headers.some(([name]) => /^host$/i.test(name)))
    head += `host: ${origin.slice(origin.indexOf("//") + 2)}\r\n`;
  for (const line of headers) head += `${line}\r\n`;
  for (const [name, value] of request.headers) head += `${name}: ${value}\r\n`;
  const length = announced ?? body.byteLength;
  if (isChunked) head += "transfer-encoding: chunked\r\n";
  else if (!isFramed && (length > 0 || TAKE_BODIES.includes(method))) head += `content-length: ${length}\r\n`;
  const pieces = isChunked ? chunksOf(body) : [body];
  return Buffer.concat([Buffer.from(`${head}\r\n`, "latin1"), ...pieces]);
}

function chunksOf(body: Uint8Array): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < body.byteLength; at += CHUNK_BYTES) chunks.push(chunkOf(body.subarray(at, at + CHUNK_BYTES)));
  return [...chunks, LAST_CHUNK];
}

export const LAST_CHUNK = Buffer.from("0\r\n\r\n");

export const chunkOf = (piece: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`${piece.byteLength.toString(16)}\r\n`), piece, Buffer.from("\r\n")]);

/** The name of a method or a header field (RFC 9110, 5.6.2). */
export const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;

/** Whether a head can hold it; a line break in a value would begin another line. */
export const isSendable = ({ method, path, headers }: Request): boolean =>
  TOKEN.test(method) &&
  /^[\x21-\xff]+$/.test(path) &&
  headers.every(([name, value]) => TOKEN.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value));
