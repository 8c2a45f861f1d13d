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

/** Sends the request with `Connection: close` and reads until the target closes, at most `timeoutMs`. Never throws. */
export async function rawAnswer(origin: string, request: Request, from: string, timeoutMs: number): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(origin);
  const lines = [`${request.method} ${request.path} HTTP/1.1`, `host: ${host}`, "connection: close"];
  for (const [name, value] of request.headers) lines.push(`${name}: ${value}`);
  if (request.body.byteLength > 0) lines.push(`content-length: ${request.body.byteLength}`);
  const chunks: Buffer[] = [];
  let size = 0;
  await new Promise<void>((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: from });
    const timer = setTimeout(() => socket.destroy(), timeoutMs);
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size > MAX_ANSWER_BYTES) socket.destroy();
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      clearTimeout(timer);
      resolve();
    });
    socket.write(Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), request.body]));
  });
  const bytes = Buffer.concat(chunks);
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return { head: bytes.toString("latin1"), bodyBytes: 0 };
  return { head: bytes.toString("latin1", 0, end), bodyBytes: bytes.byteLength - end - 4 };
}
