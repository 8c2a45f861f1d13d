/** One request over a bare socket: for what an HTTP client would not show. */
import { connect } from "node:net";
import type { Request } from "../../fixtures/request.ts";
import { MAX_ANSWER_BYTES } from "./client.ts";

/** An answer cut at the empty line. */
export interface RawAnswer {
  /** Status line and headers; empty where nothing came. */
  readonly head: string;
  /** Bytes behind the empty line until the connection closed. */
  readonly bodyBytes: number;
}

/** What came back for some bytes, and whether the target closed the connection itself. */
export interface RawReply {
  readonly bytes: Buffer;
  readonly closed: boolean;
}

/**
 * Sends bytes as they are and reads until the target closes, at most `timeoutMs`. `halfClosed`: the kit says behind them
 * that it sends no more. Never throws.
 */
export async function rawReply(
  origin: string,
  bytes: Uint8Array,
  from: string,
  timeoutMs: number,
  halfClosed = false,
): Promise<RawReply> {
  const { hostname, port } = new URL(origin);
  const chunks: Buffer[] = [];
  let size = 0;
  let closed = true;
  await new Promise<void>((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: from });
    const giveUp = () => {
      closed = false;
      socket.destroy();
    };
    const timer = setTimeout(giveUp, timeoutMs);
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > MAX_ANSWER_BYTES) giveUp();
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      resolve();
    });
    if (halfClosed) socket.end(bytes);
    else socket.write(bytes);
  });
  return { bytes: Buffer.concat(chunks), closed };
}

/** A connection that the kit keeps open on its side, whatever the target does to its own. */
export interface OpenReply {
  /** False where the target stayed silent. */
  readonly answered: boolean;
  abort(): void;
}

/**
 * Sends bytes and waits at most `timeoutMs` for the first of the answer. Where the target closes its half, an HTTP client
 * would close the other; here it stays open until `abort`, as that of a client that is slow to notice. Never throws.
 */
export async function openReply(
  origin: string,
  bytes: Uint8Array,
  from: string,
  timeoutMs: number,
): Promise<OpenReply> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), localAddress: from, allowHalfOpen: true });
  const answered = await new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), timeoutMs);
    const settle = (answer: boolean) => {
      clearTimeout(timer);
      resolve(answer);
    };
    socket.once("data", () => settle(true));
    socket.on("error", () => settle(false));
    socket.on("close", () => settle(false));
    socket.write(bytes);
  });
  return { answered, abort: () => socket.destroy() };
}

/** A request as it goes over the wire. `headers`: lines beside its own; `announced`: another Content-Length, bytes. */
export function wireForm(
  origin: string,
  request: Request,
  headers: readonly string[] = [],
  announced?: number,
): Buffer {
  const lines = [`${request.method} ${request.path} HTTP/1.1`, `host: ${new URL(origin).host}`, ...headers];
  for (const [name, value] of request.headers) lines.push(`${name}: ${value}`);
  const length = announced ?? request.body.byteLength;
  if (length > 0) lines.push(`content-length: ${length}`);
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), request.body]);
}

/** Sends the request with `Connection: close` and reads until the target closes, at most `timeoutMs`. Never throws. */
export async function rawAnswer(origin: string, request: Request, from: string, timeoutMs: number): Promise<RawAnswer> {
  const { bytes } = await rawReply(origin, wireForm(origin, request, ["connection: close"]), from, timeoutMs);
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return { head: bytes.toString("latin1"), bodyBytes: 0 };
  return { head: bytes.toString("latin1", 0, end), bodyBytes: bytes.byteLength - end - 4 };
}
