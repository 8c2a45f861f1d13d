/**
 * Whole requests over real sockets: kept-alive connections of each client address. Requests that must be sent piece by
 * piece go through `upload.ts`.
 */
import type { Request } from "../interface/request.ts";
import type { Exchange } from "./exchange.ts";
import { forgetLargeAnswers } from "./gathered.ts";
import { isSendable, wireForm } from "./wire-form.ts";
import { Wire } from "./wire.ts";

/** Client addresses whose connections are kept: a case may use thousands of addresses, one after the other. */
const MAX_ADDRESSES = 256;

/** Idle connections are closed after `IDLE_MS`; after `LONGEST_IDLE_MS` they are not used again, as they may be closing. */
const IDLE_MS = 1000;
const LONGEST_IDLE_MS = 800;

const KEPT = ["connection: keep-alive"];
const ENDED = "not answered: the run is over";

export class Client {
  readonly #origin: string;
  readonly #timeoutMs: number;
  /** Connections without a request, by client address, and since when. */
  readonly #idle = new Map<string, { readonly wire: Wire; readonly since: number }[]>();
  readonly #busy = new Set<Wire>();
  #closed = false;
  /** Hears of an exchange whose answer was followed by bytes that nobody had asked for. */
  onSurplus: ((exchange: Exchange) => void) | undefined;

  /** `origin`: `http://host:port`; `timeoutMs`: longest wait for one whole answer. */
  constructor(origin: string, timeoutMs: number) {
    this.#origin = origin;
    this.#timeoutMs = timeoutMs;
    forgetLargeAnswers(origin);
  }

  /** Sends one request from a client address; a fault of the transport is part of the exchange, never thrown. */
  async send(request: Request, from: string): Promise<Exchange> {
    if (this.#closed) return { request, from, fault: "not sent: the run is over" };
    if (!isSendable(request)) return { request, from, fault: "not sent: HTTP has no form for it" };
    const wire = this.#kept(from) ?? new Wire(this.#origin, from);
    this.#busy.add(wire);
    const outcome = wire.outcome(request.method, this.#timeoutMs);
    const isKept = !request.headers.some(([name]) => /^connection$/i.test(name));
    wire.socket.write(wireForm(this.#origin, request, isKept ? KEPT : []));
    const exchange = { request, from, ...(await outcome) };
    this.#busy.delete(wire);
    wire.onSurplus = () => {
      wire.destroy();
      this.onSurplus?.(exchange);
    };
    if (isKept && wire.isReusable && !this.#closed) this.#keep(from, wire);
    else wire.destroy();
    return exchange;
  }

  /** Requests in progress fail, and no other is sent. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const wire of this.#busy) wire.destroy(ENDED);
    for (const { wire } of [...this.#idle.values()].flat()) wire.destroy();
    this.#idle.clear();
  }

  /** The connection that was used last, unless it was idle too long: on a machine that stalls the timer is late. */
  #kept(from: string): Wire | undefined {
    const idle = this.#idle.get(from);
    for (let kept = idle?.pop(); kept !== undefined; kept = idle?.pop()) {
      const { wire, since } = kept;
      if (wire.isReusable && performance.now() - since < LONGEST_IDLE_MS) {
        wire.socket.setTimeout(0);
        return wire;
      }
      wire.destroy();
    }
    return undefined;
  }

  #keep(from: string, wire: Wire): void {
    wire.socket.setTimeout(IDLE_MS);
    const kept = { wire, since: performance.now() };
    const idle = this.#idle.get(from);
    if (idle !== undefined) return void idle.push(kept);
    const [oldest] = this.#idle;
    if (oldest !== undefined && this.#idle.size >= MAX_ADDRESSES) {
      this.#idle.delete(oldest[0]);
      for (const old of oldest[1]) old.wire.destroy();
    }
    this.#idle.set(from, [kept]);
  }
}
