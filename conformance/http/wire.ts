/** One connection to the target, over which whole answers come to one request at a time: bounded in size and in time. */
import { AnswerReader, CUT_OFF } from "./answer-reader.ts";
import { endpointOf, ReadingSocket } from "./endpoint.ts";
import type { Exchange } from "./exchange.ts";

export type WireOutcome = Required<Pick<Exchange, "answer">> | Required<Pick<Exchange, "fault">>;

export class Wire {
  readonly #origin: string;
  readonly socket = new ReadingSocket((piece) => this.#hear(piece));
  #reader: AnswerReader | undefined;
  /** There is a request without an answer. */
  #settle: ((outcome: WireOutcome) => void) | undefined;
  /** Called where bytes come that no request has asked for: the connection is of no use any more. */
  onSurplus: (() => void) | undefined;

  constructor(origin: string, from: string) {
    this.#origin = origin;
    this.socket.on("error", (error) => this.#settle?.({ fault: transportFault(error) }));
    this.socket.on("timeout", () => this.destroy());
    for (const event of ["end", "close"]) this.socket.on(event, () => this.#end());
    this.socket.connect(endpointOf(origin, from));
  }

  /** The outcome of the request that is written next. A fault closes the connection. */
  outcome(method: string, timeoutMs: number): Promise<WireOutcome> {
    this.#reader = new AnswerReader(method, this.#origin);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        const late = this.socket.connecting ? "no connection in time" : `no whole answer within ${timeoutMs} ms`;
        this.#settle?.({ fault: late });
      }, timeoutMs);
      this.#settle = (outcome) => {
        this.#settle = undefined;
        clearTimeout(timer);
        if ("fault" in outcome) this.socket.destroy();
        resolve(outcome);
      };
    });
  }

  get continued(): boolean {
    return this.#reader?.continued === true;
  }

  /** Another request can go over it: the one before was taken whole, and its answer has not announced the end. */
  get isReusable(): boolean {
    const { socket } = this;
    return !socket.destroyed && socket.readable && socket.writableLength === 0 && this.#reader?.isLast === false;
  }

  /** A request without an answer ends with this fault. */
  destroy(fault = CUT_OFF): void {
    this.#settle?.({ fault });
    this.socket.destroy();
  }

  #hear(piece: Buffer): void {
    const reader = this.#reader;
    if (reader === undefined || this.socket.destroyed) return;
    this.#attempt(() => reader.add(piece));
    if (reader.answer === undefined || reader.surplus.every((byte) => byte === 0x0d || byte === 0x0a)) return;
    // Whoever waits for the answer learns of that first.
    if (!reader.isLast) setImmediate(() => this.onSurplus?.());
    reader.isLast = true;
  }

  #end(): void {
    this.#attempt(() => this.#reader?.end());
  }

  #attempt(read: () => void): void {
    try {
      read();
      const answer = this.#reader?.answer;
      if (answer !== undefined) this.#settle?.({ answer });
    } catch (error) {
      this.#settle?.({ fault: (error as Error).message });
    }
  }
}

/** A transport error in words that do not change from run to run. */
function transportFault({ code = "" }: NodeJS.ErrnoException): string {
  if (code === "ECONNREFUSED") return "connection refused";
  // Whether a close shows as a reset is a matter of timing.
  if (["ECONNRESET", "EPIPE"].includes(code)) return CUT_OFF;
  return code === "" ? "a fault of the transport" : `a fault of the transport (${code})`;
}
