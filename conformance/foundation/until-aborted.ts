/** What `work` comes to, or the reason of the signal as soon as that is aborted; `end` then ends what the work waits for. */
export async function untilAborted<T>(
  signal: AbortSignal | undefined,
  work: Promise<T>,
  end: () => unknown,
): Promise<T> {
  const settled = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    const onAbort = () => {
      void end();
      reject(signal?.reason as Error);
    };
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener("abort", onAbort, { signal: settled.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    settled.abort();
  }
}
