/**
 * Whole requests over real sockets, by undici: kept-alive connections of each client address, bounded answers.
 * Requests that must be sent piece by piece go through `upload.ts`.
 */
import { Readable } from "node:stream";
import type { Client as UndiciClient } from "undici";
import type { Request } from "../interface/request.ts";
import { isLoopback } from "./endpoint.ts";
import type { Exchange } from "./exchange.ts";
import { forgetLargeAnswers, TooLarge } from "./gathered.ts";
import { wholeAnswer } from "./whole-answer.ts";

export const MAX_HEADER_BYTES = 64 * 1024;

/** Client addresses whose connections are kept: a case may use thousands of addresses, one after the other. */
const MAX_ADDRESSES = 256;

/** An idle connection stays open for a second; what has lain nearly as long, ms, may be closing when a request comes. */
const LONGEST_IDLE_MS = 800;

/** Why undici closes a connection that an answer comes on while there is no request. */
const UNASKED = "bad response";

/**
 * Each of undici's clients is one connection, and those of one address are kept in a list: most addresses send a few
 * requests, and a pool for each of them would cost more than the requests.
 */
export class Client {
  readonly #origin: string;
  readonly #timeoutMs: number;
  readonly #connector: Promise<(from: string) => UndiciClient>;
  /** Connections without a request, by client address. */
  readonly #idle = new Map<string, UndiciClient[]>();
  readonly #busy = new Set<UndiciClient>();
  readonly #last = new WeakMap<UndiciClient, { readonly exchange: Exchange; readonly at: number }>();
  #closed = false;
  /** Hears of an exchange whose answer was followed by bytes that nobody had asked for. */
  onSurplus: ((exchange: Exchange) => void) | undefined;

  /** `origin`: `http://host:port`; `timeoutMs`: longest wait for one whole answer. */
  constructor(origin: string, timeoutMs: number) {
    this.#origin = origin;
    this.#timeoutMs = timeoutMs;
    forgetLargeAnswers(origin);
    this.#connector = connectorTo(origin, timeoutMs);
  }

  /** Sends one request from a client address; a fault of the transport is part of the exchange, never thrown. */
  async send(request: Request, from: string): Promise<Exchange> {
    if (this.#closed) return { request, from, fault: "not sent: the run is over" };
    const { path, method } = request;
    const options = { path, method, headers: request.headers.flat(), body: bodyOf(request) };
    const connection = this.#kept(from) ?? this.#watched((await this.#connector)(from));
    this.#busy.add(connection);
    try {
      const answer = await wholeAnswer(connection, { origin: this.#origin, ...options }, this.#timeoutMs);
      this.#keep(from, connection);
      const exchange = { request, from, answer };
      this.#last.set(connection, { exchange, at: performance.now() });
      return exchange;
    } catch (error) {
      void connection.destroy();
      return { request, from, fault: transportFault(error, this.#timeoutMs) };
    } finally {
      this.#busy.delete(connection);
    }
  }

  #watched(connection: UndiciClient): UndiciClient {
    return connection.on("disconnect", (_origin, _targets, { message }) => {
      const last = this.#last.get(connection);
      if (message === UNASKED && last !== undefined && !this.#busy.has(connection)) this.onSurplus?.(last.exchange);
    });
  }

  /** Requests in progress fail, and no other is sent. */
  async close(): Promise<void> {
    this.#closed = true;
    const all = [...this.#busy, ...[...this.#idle.values()].flat()];
    this.#idle.clear();
    await Promise.all(all.map((connection) => connection.destroy()));
  }

  /** The connection that was used last, unless it has lain too long: undici's own timer waits while the machine stalls. */
  #kept(from: string): UndiciClient | undefined {
    const kept = this.#idle.get(from)?.pop();
    if (kept === undefined || performance.now() - (this.#last.get(kept)?.at ?? 0) < LONGEST_IDLE_MS) return kept;
    void kept.destroy();
    return undefined;
  }

  #keep(from: string, connection: UndiciClient): void {
    const idle = this.#idle.get(from);
    if (idle !== undefined) return void idle.push(connection);
    const [oldest] = this.#idle;
    if (oldest !== undefined && this.#idle.size >= MAX_ADDRESSES) {
      this.#idle.delete(oldest[0]);
      for (const old of oldest[1]) void old.destroy();
    }
    this.#idle.set(from, [connection]);
  }
}

/** undici takes half as long to load as a target to start, which has been launched when a client is made for it. */
async function connectorTo(origin: string, timeoutMs: number): Promise<(from: string) => UndiciClient> {
  const undici = await import("undici");
  const common = {
    connect: undici.buildConnector({ timeout: timeoutMs }),
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 500,
  };
  const isLocal = isLoopback(new URL(origin).hostname);
  return (from) => new undici.Client(origin, isLocal ? { ...common, localAddress: from } : common);
}

function bodyOf(request: Request): Uint8Array | Readable | null {
  if (request.body.byteLength === 0) return null;
  if (request.chunked !== true) return request.body;
  return Readable.from(chunks(request.body));
}

async function* chunks(body: Uint8Array): AsyncGenerator<Uint8Array> {
  const size = 16 * 1024;
  for (let start = 0; start < body.byteLength; start += size) yield body.subarray(start, start + size);
}

/** A transport error in words that do not change from run to run. */
export function transportFault(error: unknown, timeoutMs: number): string {
  const code = codeOf(error);
  const name = error instanceof Error ? error.name : "";
  if (error instanceof TooLarge) return error.message;
  if (code === "UND_ERR_HEADERS_OVERFLOW" || code === "HPE_HEADER_OVERFLOW")
    return `more than ${MAX_HEADER_BYTES} bytes of headers`;
  const isTorn = code.startsWith("HPE_") || code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH";
  if (isTorn || name === "HTTPParserError") return "an answer that is not HTTP";
  if (name === "TimeoutError") return `no whole answer within ${timeoutMs} ms`;
  if (code === "ECONNREFUSED") return "connection refused";
  // Whether a close shows as a reset is a matter of timing.
  if (["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(code)) return "connection closed without a whole answer";
  if (code === "UND_ERR_CONNECT_TIMEOUT") return "no connection in time";
  return code === "" ? "a fault of the transport" : `a fault of the transport (${code})`;
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}
