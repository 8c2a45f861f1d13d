/** The ways in which the bytes of one request can be put on the wire. */
import type { Request } from "../interface/request.ts";
import { wireForm } from "../http/wire-form.ts";

export interface Framing {
  /** Sent in chunks of these sizes, bytes, again and again; else with a Content-Length. */
  readonly chunks?: readonly number[];
  /** Size lines have extensions, the end has a trailer, and the coding's name is in capitals (RFC 9112, 7). */
  readonly isDecorated?: true;
  /** The target sees the body in so many pieces. */
  readonly pieces?: number;
  /** Lines beside those of the request. */
  readonly headers?: readonly string[];
  readonly version?: "1.0";
  /** A header field up to its value: names have no case, and blanks before a value are no part of it (RFC 9110, 5.1 and 5.5). */
  readonly field?: (name: string) => string;
}

/** Each is one whole request with the same body. */
export const framings = {
  "a Content-Length": {},
  /** Sizes that are the same in decimal and in hexadecimal notation. */
  "small chunks": { chunks: [9, 5] },
  "one chunk": { chunks: [Number.POSITIVE_INFINITY] },
  /** Sizes with a letter, of one digit, and of two without a letter: 1a, 1, 10, 3. */
  "many chunks": { chunks: [26, 1, 16, 3] },
  "chunks with extensions and a trailer": { chunks: [27, 2, 4096], isDecorated: true, pieces: 5 },
  Expect: { headers: ["expect: 100-continue"] },
  "HTTP/1.0": { version: "1.0" },
  "pieces, blanks before header values": { pieces: 4, field: (name) => `${name}:   ` },
  "header names in capitals, no blanks behind them": { field: (name) => `${name.toUpperCase()}:` },
} as const satisfies Record<string, Framing>;

/** Above this size chunks grow with the body, so that a large body does not become thousands of chunks. */
const SMALL_BYTES = 400;
/** Chunks of a large body are only so much larger: 256,000 bytes and the lines of their chunks exceed 256 KB, but the lines do not count. */
const MOST_SCALE = 8;

/** Head and body in the pieces in which they are written; the last `kept` bytes of the body and the end are pieces of their own. */
export function framed(origin: string, framing: Framing, request: Request, kept: number): Buffer[] {
  const { chunks, isDecorated, headers = [], version, field } = framing;
  const { body } = request;
  const coding = chunks === undefined ? [] : [`transfer-encoding: ${isDecorated === true ? "CHUNKED" : "chunked"}`];
  const length = chunks === undefined ? body.byteLength : 0;
  const bodiless = { ...request, body: new Uint8Array() };
  let head = wireForm(origin, bodiless, [...headers, ...coding], length).toString("latin1");
  if (version !== undefined) head = head.replace("HTTP/1.1", `HTTP/${version}`);
  if (field !== undefined) head = head.replaceAll(/^([\w-]+): */gm, (_all, name: string) => field(name));
  const extension = isDecorated === true ? ';name="a value"' : "";
  const encoded = (part: Uint8Array): Buffer => {
    if (chunks === undefined) return Buffer.from(part);
    const pieces: Buffer[] = [];
    const scale = Math.min(MOST_SCALE, Math.ceil(part.byteLength / SMALL_BYTES));
    for (let [from, turn] = [0, 0]; from < part.byteLength; turn += 1) {
      const most = scale * (chunks[turn % chunks.length] ?? 1);
      const data = part.subarray(from, from + Math.min(most, part.byteLength));
      from += data.byteLength;
      const size = data.byteLength.toString(16);
      const line = `${isDecorated === true ? size.toUpperCase() : size}${extension}\r\n`;
      pieces.push(Buffer.from(line), Buffer.from(data), Buffer.from("\r\n"));
    }
    return Buffer.concat(pieces);
  };
  const owed = Array.from({ length: kept }, (_, index) => body.byteLength - kept + index);
  const end =
    chunks === undefined
      ? []
      : [Buffer.from(`0\r\n${isDecorated === true ? "x-trailer: 1\r\nx-more: 2\r\n" : ""}\r\n`)];
  const first = Buffer.concat([
    Buffer.from(head, "latin1"),
    encoded(body.subarray(0, body.byteLength - kept)),
    ...(kept === 0 ? end : []),
  ]);
  return [first, ...owed.map((index) => encoded(body.subarray(index, index + 1))), ...(kept === 0 ? [] : end)];
}
