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

/** As far as the digits of a status: `HTTP/1.1 413`. */
const STATUS_LINE_CHARACTERS = 12;

/** A connection that the kit keeps open on its side, whatever the target does to its own. */
export interface OpenReply {
  /** Undefined where no answer came. */
  readonly status: number | undefined;
  abort(): void;
}

/**
 * Sends bytes and waits at most `timeoutMs` for the answer's status line. Where the target closes its half, an HTTP client
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
  let start = "";
  const status = await new Promise<number | undefined>((resolve) => {
    const settle = (answer?: number) => {
      clearTimeout(timer);
      resolve(answer);
    };
    const timer = setTimeout(settle, timeoutMs);
    socket.on("data", (chunk: Buffer) => {
      start = (start + chunk.toString("latin1")).slice(0, STATUS_LINE_CHARACTERS);
      const [, digits] = /^HTTP\/1\.[01] (\d{3})/.exec(start) ?? [];
      if (digits !== undefined) settle(Number(digits));
    });
    socket.on("error", () => settle());
    socket.on("close", () => settle());
    socket.write(bytes);
  });
  return { status, abort: () => socket.destroy() };
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
