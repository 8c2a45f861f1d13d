/**
 * Whole requests over real sockets, by undici: one connection pool per client address, bounded answers.
 * Requests that must be sent piece by piece go through `upload.ts`.
 */
import { Readable } from "node:stream";
import { Agent, errors } from "undici";
import type { Request } from "../../fixtures/request.ts";
import { isLoopback } from "./endpoint.ts";
import type { Answer, Exchange } from "./exchange.ts";
import { forgetLargeAnswers, TooLarge } from "./gathered.ts";
import { WholeAnswer } from "./whole-answer.ts";

export const MAX_HEADER_BYTES = 64 * 1024;

/** Client addresses whose connections are kept: a case may use thousands of addresses, one after the other. */
const MAX_AGENTS = 256;
export class Client {
  readonly #origin: string;
  readonly #timeoutMs: number;
  readonly #agents = new Map<string, Agent>();
  /** Agents that close once their last requests have been answered. */
  readonly #leaving = new Set<Agent>();

  /** `origin`: `http://host:port`; `timeoutMs`: longest wait for one whole answer. */
  constructor(origin: string, timeoutMs: number) {
    this.#origin = origin;
    this.#timeoutMs = timeoutMs;
    forgetLargeAnswers(origin);
  }

  /** Sends one request from a client address; a fault of the transport is part of the exchange, never thrown. */
  async send(request: Request, from: string): Promise<Exchange> {
    try {
      return { request, from, answer: await this.#answer(request, from) };
    } catch (error) {
      return { request, from, fault: transportFault(error, this.#timeoutMs) };
    }
  }

  async close(): Promise<void> {
    const agents = [...this.#agents.values(), ...this.#leaving];
    this.#agents.clear();
    await Promise.all(agents.map((agent) => agent.destroy()));
  }

  #answer(request: Request, from: string): Promise<Answer> {
    const options = {
      origin: this.#origin,
      path: request.path,
      method: request.method,
      headers: request.headers.flat(),
      body: bodyOf(request),
    };
    return WholeAnswer.of(this.#agent(from), options, this.#timeoutMs);
  }

  #agent(from: string): Agent {
    let agent = this.#agents.get(from);
    if (agent === undefined) {
      this.#letOldestGo();
      agent = new Agent({
        ...(isLoopback(new URL(this.#origin).hostname) && { localAddress: from }),
        connect: { timeout: this.#timeoutMs },
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: 0,
        bodyTimeout: 0,
        keepAliveTimeout: 500,
      });
      this.#agents.set(from, agent);
    }
    return agent;
  }

  #letOldestGo(): void {
    const [oldest] = this.#agents;
    if (oldest === undefined || this.#agents.size < MAX_AGENTS) return;
    const [from, agent] = oldest;
    this.#agents.delete(from);
    this.#leaving.add(agent);
    void agent.close().finally(() => this.#leaving.delete(agent));
  }
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
  if (error instanceof TooLarge) return error.message;
  if (code === "UND_ERR_HEADERS_OVERFLOW" || code === "HPE_HEADER_OVERFLOW")
    return `more than ${MAX_HEADER_BYTES} bytes of headers`;
  const isTorn = code.startsWith("HPE_") || code === "UND_ERR_RES_CONTENT_LENGTH_MISMATCH";
  if (error instanceof errors.HTTPParserError || isTorn) return "an answer that is not HTTP";
  if (error instanceof Error && error.name === "TimeoutError") return `no whole answer within ${timeoutMs} ms`;
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
