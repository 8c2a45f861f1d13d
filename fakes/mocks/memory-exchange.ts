/** One request and its response as a node:http handler sees them, without a socket and without HTTP on the wire. */
import { EventEmitter } from "node:events";
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { Readable } from "node:stream";

/** The one client that a mock has. */
export const CLIENT_ADDRESS = "127.0.0.1";

interface MemoryRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

class MemorySocket extends EventEmitter {
  readonly remoteAddress = CLIENT_ADDRESS;
  destroyed = false;
  destroy(): this {
    this.destroyed = true;
    this.emit("close");
    return this;
  }
}

/** The members of ServerResponse that the plugin and the gateway use. */
class MemoryResponse extends EventEmitter {
  statusCode = 200;
  headersSent = false;
  writableEnded = false;
  readonly headers = new Map<string, string>();
  readonly chunks: Buffer[] = [];

  setHeader(name: string, value: number | string | readonly string[]): this {
    this.headers.set(name, String(value));
    return this;
  }
  writeHead(status: number, headers: OutgoingHttpHeaders = {}): this {
    this.statusCode = status;
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) this.setHeader(name, value);
    this.headersSent = true;
    return this;
  }
  end(text = ""): this {
    this.headersSent = true;
    this.writableEnded = true;
    this.chunks.push(Buffer.from(text));
    this.emit("finish");
    this.emit("close");
    return this;
  }
}

/** Passes one request to a handler; undefined when the handler dropped the connection instead of answering. */
export async function exchange(handle: Handle, given: MemoryRequest, signal?: AbortSignal) {
  const { method, url, headers, body } = given;
  const socket = new MemorySocket();
  const request = Object.assign(new Readable({ read: () => undefined }), {
    method,
    url,
    headers,
    socket,
    // The body is complete from the start, so an answer can always be ended at once.
    complete: true,
  });
  if (body.length > 0) request.push(body);
  request.push(null);
  const response = new MemoryResponse();
  // An aborted request closes its connection, and so frees its in-flight slot.
  const abandon = () => void socket.destroy();
  signal?.addEventListener("abort", abandon);
  await handle(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  signal?.removeEventListener("abort", abandon);
  if (!response.writableEnded) return undefined;
  return { status: response.statusCode, headers: [...response.headers], body: Buffer.concat(response.chunks) };
}
