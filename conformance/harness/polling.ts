/** Real time that passes while a case waits, cut short by its deadline. */
import { setTimeout as delay } from "node:timers/promises";
import { OutOfTime } from "../http/harness-error.ts";

/** Least number of times that a condition is polled. */
const FEWEST_TRIES = 4;

export async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {
    throw new OutOfTime("the case ran out of time");
  });
}

/**
 * Polls until `condition` holds, for `withinMs` milliseconds and a few times at least: on a machine that stalls one try
 * can last longer. Between two tries are `everyMs` at first, and up to eight times as long later: what is polled may spend
 * a budget. The answer is whether it came to hold.
 */
export async function polled(
  condition: () => Promise<boolean>,
  signal: AbortSignal,
  withinMs: number,
  everyMs: number,
): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (let tries = 1; ; tries += 1) {
    if (await condition()) return true;
    if (performance.now() >= deadline && tries >= FEWEST_TRIES) return false;
    await sleep(Math.min(2 ** (tries - 1), 8) * everyMs, signal);
  }
}
