/** Requests over a bare socket: for what an HTTP client would not show. */
import type { Socket } from "node:net";
import { AnswerReader } from "./answer-reader.ts";
import { endpointOf, ReadingSocket } from "./endpoint.ts";
import type { Answer } from "./exchange.ts";
import { type AnswerFault, Gathered } from "./gathered.ts";

/**
 * A connection that is written to piece by piece. The kit keeps its side open until `abort`, even where the target has
 * closed its own, like a client that is slow to notice. Never throws.
 */
export class Connection {
  readonly #socket: Socket;
  readonly #gathered: Gathered;
  readonly #answers: Answer[] = [];
  #reader: AnswerReader | undefined;
  /** Bytes that the answers were read from. */
  #answered = 0;
  #changed = () => {};
  /** The target has closed the connection, or its own half of it. */
  closed = false;
  /** Why no more answers can be read from what has come. */
  fault: string | undefined;
  /** Called once, when the kit closes its side. */
  onAbort: (() => void) | undefined;

  constructor(origin: string, from: string) {
    this.#gathered = new Gathered(origin);
    this.#socket = new ReadingSocket((piece) => this.#hear(piece), { allowHalfOpen: true });
    this.#socket.connect(endpointOf(origin, from));
    for (const event of ["end", "close"]) this.#socket.on(event, () => this.#close());
    this.#socket.on("error", () => {});
  }

  write(bytes: Uint8Array): void {
    if (!this.#socket.destroyed) this.#socket.write(bytes);
  }

  /** The statuses of the whole answers, in their order. */
  get statuses(): number[] {
    return this.answersTo([]).map(({ status }) => status);
  }

  /** All that has come. */
  get bytes(): Buffer {
    return this.#gathered.bytes;
  }

  get text(): string {
    return this.bytes.toString("latin1");
  }

  /** The answers that are whole, in their order. `methods`: of the requests, POST by default. Bytes that are no answer end the list. */
  answersTo(methods: readonly string[]): readonly Answer[] {
    const fresh = this.bytes.subarray(this.#answered);
    this.#answered = this.bytes.byteLength;
    if (this.fault !== undefined) return this.#answers;
    try {
      this.#readAnswers(fresh, methods);
    } catch (error) {
      this.fault = (error as AnswerFault).message;
    }
    return this.#answers;
  }

  #readAnswers(fresh: Buffer, methods: readonly string[]): void {
    for (let rest = fresh; ;) {
      this.#reader ??= new AnswerReader(methods[this.#answers.length] ?? "POST");
      this.#reader.add(rest);
      if (this.closed) this.#reader.end();
      const { answer, surplus } = this.#reader;
      if (answer === undefined) return;
      this.#answers.push(answer);
      this.#reader = undefined;
      rest = surplus;
      if (rest.byteLength === 0) return;
    }
  }

  /** Waits until `count` answers are there, no more can come, or `ms` are over; true where they are there. */
  answered(count: number, ms: number): Promise<boolean> {
    return this.until(() => this.statuses.length >= count, ms);
  }

  /** Waits until the target has closed the connection, or `ms` are over; true where it has. */
  closedWithin(ms: number): Promise<boolean> {
    return this.until(() => this.closed, ms);
  }

  /** Waits until what has come is enough, no more answers can come, or `ms` are over; true where it is enough. */
  async until(isEnough: () => boolean, ms: number): Promise<boolean> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#changed = () => {
        if (!isEnough() && !this.closed && this.fault === undefined) return;
        clearTimeout(timer);
        resolve();
      };
      this.#changed();
    });
    return isEnough();
  }

  /** Closes the kit's sending half. */
  end(): void {
    this.#socket.end();
  }

  abort(): void {
    this.#socket.destroy();
    this.onAbort?.();
    this.onAbort = undefined;
  }

  #hear(piece: Buffer): void {
    try {
      this.#gathered.add(piece);
    } catch {
      this.abort();
    }
    this.#changed();
  }

  #close(): void {
    this.closed = true;
    this.#changed();
  }
}
