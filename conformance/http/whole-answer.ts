/** One answer, read to its end within its time: lighter than a stream for each of many small answers. */
import type { Dispatcher } from "undici";
import { headerMap, type Answer } from "./exchange.ts";
import { Gathered, MAX_INTERIM_ANSWERS, TOO_MANY_INTERIM, TooLarge } from "./gathered.ts";

/** Sends and reads; rejects with the fault of the transport, `TooLarge`, or a `TimeoutError` after `timeoutMs` ms. */
export function wholeAnswer(
  dispatcher: Dispatcher,
  options: Dispatcher.DispatchOptions,
  timeoutMs: number,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const gathered = new Gathered(String(options.origin));
    let controller: Dispatcher.DispatchController | undefined;
    let givenUp: Error | undefined;
    let [status, interim] = [0, 0];
    let headers: Parameters<typeof headerMap>[0] = {};
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    const giveUp = (error: Error) => {
      givenUp = error;
      fail(error);
      controller?.abort(error);
    };
    const timer = setTimeout(() => giveUp(new DOMException("too late", "TimeoutError")), timeoutMs);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        if (givenUp !== undefined) started.abort(givenUp);
      },
      onResponseStart(_controller, code, received) {
        if (status >= 100 && status < 200) interim += 1;
        if (interim > MAX_INTERIM_ANSWERS) giveUp(new TooLarge(TOO_MANY_INTERIM));
        // Informational ones come before the answer, which replaces them.
        [status, headers] = [code, received];
      },
      onResponseData(_controller, chunk) {
        if (givenUp !== undefined) return;
        try {
          gathered.add(chunk);
        } catch (error) {
          giveUp(error as TooLarge);
        }
      },
      onResponseEnd() {
        clearTimeout(timer);
        resolve({ status, headers: headerMap(headers), body: gathered.bytes });
      },
      onResponseError: (_controller, error) => fail(error),
    };
    try {
      dispatcher.dispatch(options, handler);
    } catch (error) {
      fail(error as Error);
    }
  });
}
