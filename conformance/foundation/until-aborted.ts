import { addAbortListener } from "node:events";

/** What `work` comes to, or the reason of the signal as soon as that is aborted; `end` then ends what the work waits for. */
export function untilAborted<T>(signal: AbortSignal | undefined, work: Promise<T>, end: () => unknown): Promise<T> {
  if (signal === undefined) return work;
  let heard: Disposable | undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    heard = addAbortListener(signal, () => {
      void end();
      reject(signal.reason as Error);
    });
  });
  return Promise.race([work, aborted]).finally(() => heard?.[Symbol.dispose]());
}
