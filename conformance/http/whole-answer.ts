/** One answer, read to its end within its time: lighter than a stream for each of many small answers. */
import type { Dispatcher } from "undici";
import { headerMap, type Answer } from "./exchange.ts";

export class WholeAnswer implements Dispatcher.DispatchHandler {
  readonly #chunks: Buffer[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (error: Error) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #late: Error | undefined;
  #status = 0;
  #headers: Parameters<typeof headerMap>[0] = {};

  private constructor(timeoutMs: number, resolve: (answer: Answer) => void, reject: (error: Error) => void) {
    this.#resolve = resolve;
    this.#reject = reject;
    this.#timer = setTimeout(() => this.#giveUp(), timeoutMs);
  }

  /** Sends and reads; rejects with the fault of the transport, a `TimeoutError` after `timeoutMs` ms. */
  static of(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions, timeoutMs: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const answer = new WholeAnswer(timeoutMs, resolve, reject);
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
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Informational ones come before the answer, which replaces them.
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    clearTimeout(this.#timer);
    this.#resolve({ status: this.#status, headers: headerMap(this.#headers), body: Buffer.concat(this.#chunks) });
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    clearTimeout(this.#timer);
    this.#reject(error);
  }

  #giveUp(): void {
    this.#late = new DOMException("too late", "TimeoutError");
    this.#reject(this.#late);
    this.#controller?.abort(this.#late);
  }
}
