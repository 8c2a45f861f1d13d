/** Section 8: the end of a window to the millisecond, and what counts into one. */
import { IN_FLIGHT, REQUESTS_PER_WINDOW, WINDOW_MS } from "../../interface/limits.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import { Failure, NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { mustAccept, mustRefuse, twin } from "../../harness/checks.ts";
import { cheap, exhaust, hold, keyOf } from "../../harness/limit-keys.ts";
import type { Trial } from "../../harness/trial.ts";

const common = { costly: true, meetsLimits: true } as const;
/** Between the first requests of two keys, ms. */
const APART_MS = 100;
/** How long bodies stay incomplete, less than the limit, ms. */
const OWED_MS = 5000;

/** A request accepted 59,999 ms after the first of its key, while the window of a second key, begun a little later, still runs. */
async function endedEarly(trial: Trial): Promise<Exchange | undefined> {
  const [first, second] = [keyOf(trial), keyOf(trial, { route: trial.sibling })];
  await exhaust(trial, first);
  await trial.pass(APART_MS);
  await exhaust(trial, second);
  // A window aligned to the clock has just ended: the next one is that of both keys.
  if (isAccepted(await trial.send(cheap(trial, first), first.from))) await exhaust(trial, first, 1);
  await trial.pass(WINDOW_MS - APART_MS - 1);
  const early = await trial.send(cheap(trial, first), first.from);
  if (!isAccepted(early)) return undefined;
  return isAccepted(await trial.send(cheap(trial, second), second.from)) ? undefined : early;
}

export const timeEdgeCases: readonly Case[] = [
  {
    ...common,
    id: "RATE-WINDOW-NOT-EARLY",
    title: "A millisecond before the window's end its budget is still used up",
    clauses: ["RATE-WINDOW"],
    needs: ["clock"],
    requests: 6 * REQUESTS_PER_WINDOW + 20,
    seconds: 61,
    reading:
      "Windows that all begin at one moment, or with a whole second, may end earlier; then that of another key, used up a " +
      "little later, has ended as well.",
    async run(trial) {
      if ((await endedEarly(trial)) === undefined) return;
      // The two windows may have begun in different seconds; half a second later that makes no difference.
      await trial.pass(WINDOW_MS + 500);
      const early = await endedEarly(trial);
      if (early !== undefined)
        throw new Failure("a refusal 59,999 ms after the first request", describe(early), [early]);
    },
  },
  {
    ...common,
    id: "RATE-WINDOW-END-EXACT",
    title: "A window is over exactly 60 seconds after it began",
    clauses: ["RATE-WINDOW"],
    level: "should",
    needs: ["clock"],
    requests: REQUESTS_PER_WINDOW + 2,
    seconds: 61,
    reading: "To the millisecond: a window that holds its last instant as well lasts 60,001 ms.",
    async run(trial) {
      const key = keyOf(trial);
      await exhaust(trial, key);
      await trial.pass(WINDOW_MS);
      const exchange = await trial.send(cheap(trial, key), key.from);
      mustAccept(exchange, "a request accepted 60,000 ms after the first");
    },
  },
  {
    ...common,
    id: "ORDER-RATE-HOLDS-NO-SLOT",
    title: "Requests refused by the rate limit are not counted as in flight while their body is owed",
    clauses: ["ORDER-RATE-IN-FLIGHT"],
    needs: ["clock"],
    requests: REQUESTS_PER_WINDOW + 20,
    seconds: 61,
    reading: "Seen in the next window, with eight such requests still open.",
    async run(trial) {
      const key = keyOf(trial);
      mustRefuse(await exhaust(trial, key));
      // Their bodies have 15 seconds, too.
      await trial.pass(WINDOW_MS - OWED_MS);
      if (isAccepted(await trial.send(cheap(trial, key), key.from))) {
        throw new NotApplicable("windows that all begin at one moment: this one has ended before its time");
      }
      await hold(trial, key, IN_FLIGHT);
      await trial.pass(OWED_MS + 1000);
      twin(await trial.send(cheap(trial, keyOf(trial, { route: trial.sibling })), key.from));
      mustAccept(await trial.send(cheap(trial, key), key.from), "a request accepted in the next window");
    },
  },
];
