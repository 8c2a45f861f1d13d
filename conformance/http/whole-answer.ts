/** One answer, read to its end within its time: lighter than a stream for each of many small answers. */
import type { Dispatcher } from "undici";
import { headerMap, type Answer } from "./exchange.ts";
import { Gathered, MAX_INTERIM_ANSWERS, TOO_MANY_INTERIM, TooLarge } from "./gathered.ts";

export class WholeAnswer implements Dispatcher.DispatchHandler {
  readonly #gathered: Gathered;
  readonly #timer: NodeJS.Timeout;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #late: Error | undefined;
  #status = 0;
  #interim = 0;
  #headers: Parameters<typeof headerMap>[0] = {};

  private constructor(
    origin: string,
    timeoutMs: number,
    resolve: (answer: Answer) => void,
    reject: (error: Error) => void,
  ) {
    this.#gathered = new Gathered(origin);
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => this.#giveUp(), timeoutMs);
  }

  /** Sends and reads; rejects with the fault of the transport, `TooLarge`, or a `TimeoutError` after `timeoutMs` ms. */
  static of(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions, timeoutMs: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const answer = new WholeAnswer(String(options.origin), timeoutMs, resolve, reject);
      try {
        dispatcher.dispatch(options, answer);
      } catch (error) {
        answer.onResponseError(undefined, error as Error);
      }
    });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#late !== undefined) controller.abort(this.#late);
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.#status >= 100 && this.#status < 200) this.#interim += 1;
    if (this.#interim > MAX_INTERIM_ANSWERS) this.#abort(controller, new TooLarge(TOO_MANY_INTERIM));
    // Informational ones come before the answer, which replaces them.
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#late !== undefined) return;
    try {
      this.#gathered.add(chunk);
    } catch (error) {
      this.#abort(controller, error as TooLarge);
    }
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer);
    this.#resolve({ status: this.#status, headers: headerMap(this.#headers), body: this.#gathered.bytes });
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    clearTimeout(this.#timer);
    this.#reject(error);
  }

  #giveUp(): void {
    this.#abort(this.#controller, new DOMException("too late", "TimeoutError"));
  }

  #abort(controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#late = error;
    clearTimeout(this.#timer);
    this.#reject(error);
    controller?.abort(error);
  }
}
