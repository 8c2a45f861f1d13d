/** Section 8: the rate limit's window, fixed and 60 seconds long. */
import { REQUESTS_PER_WINDOW, WINDOW_MS } from "../../interface/limits.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import { HarnessError } from "../../http/harness-error.ts";
import {
  EarlyRefusal,
  cheap,
  exhaust,
  firstRefusal,
  keyOf,
  refusedNext,
  spend,
  type Key,
} from "../../harness/limit-keys.ts";
import { Failure } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, twin } from "../../harness/checks.ts";
import type { Trial } from "../../harness/trial.ts";

const BUDGET = REQUESTS_PER_WINDOW;
/** How finely the end of a window is watched, and how finely long before it, ms. */
const WATCH_STEP_MS = 500;
const FAR_STEP_MS = 5000;
/** Tolerance for a clock that is read late, ms. */
const LATE_MS = 1000;
/** Between the first requests of two keys, ms. */
const APART_MS = 2000;
/** What a steady caller spends in a window at most, beside what is left of its budget. */
const STEADY = 5;

/** When something happened, on the trial's clock: not before `from` and not after `to`, ms. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** The key's first request, which may open its window. */
async function open(trial: Trial, key: Key): Promise<Span> {
  const from = trial.now();
  twin(await trial.send(cheap(trial, key), key.from));
  return { from, to: trial.now() };
}

/**
 * Uses up what is left of a budget, and returns the time span in which its window opened: where a window that is aligned
 * to the clock ended on the way, the one that is used up opened later.
 */
async function useUp(trial: Trial, key: Key, left: number, opened: Span): Promise<Span> {
  const early = firstRefusal(await spend(trial, key, left));
  if (early !== undefined) throw new EarlyRefusal(early);
  if (!isAccepted(await trial.send(cheap(trial, key), key.from))) return opened;
  await refusedNext(trial, key);
  return { from: opened.from, to: trial.now() };
}

/** Lets time pass until a request is accepted again; fails when that takes longer than a window. */
async function windowEnd(
  trial: Trial,
  key: Key,
  opened: Span,
  what: string,
  meanwhile: () => Promise<void> = async () => {},
): Promise<Span> {
  let from = trial.now();
  for (;;) {
    const isFar = trial.now() + FAR_STEP_MS < opened.from + WINDOW_MS - LATE_MS;
    await trial.pass(isFar ? FAR_STEP_MS : WATCH_STEP_MS);
    if (isFar) await meanwhile();
    const sent = trial.now();
    const exchange = await trial.send(cheap(trial, key), key.from);
    if (isAccepted(exchange)) return { from, to: trial.now() };
    if (sent > opened.to + WINDOW_MS + LATE_MS) mustAccept(exchange, what);
    from = sent;
  }
}

/** Fails unless 60 seconds lie between what is known of a window's two ends, however slowly they were watched. */
function checkLength(opened: Span, ended: Span, what: string, ...exchanges: Exchange[]): void {
  const [shortest, longest] = [ended.from - opened.to, ended.to - opened.from];
  const fits = shortest <= WINDOW_MS + LATE_MS && longest >= WINDOW_MS - LATE_MS;
  check(fits, `${what} of 60 seconds`, "one of another length", ...exchanges);
}

/** Fails unless the key's new window, of which one request is spent, has a whole budget at once, and no more. */
async function mustHaveNewBudget(trial: Trial, key: Key): Promise<void> {
  const refused = firstRefusal(await spend(trial, key, BUDGET - 1));
  if (refused !== undefined) throw new Failure("119 more accepted in the new window", describe(refused), [refused]);
  const limited = await refusedNext(trial, key).catch(() => undefined);
  check(limited !== undefined, "the limit in the new window as well", "no refusal", ...trial.last);
}

export const rateWindowCases: readonly Case[] = [
  {
    id: "RATE-WINDOW-60-SECONDS",
    title: "A window lasts 60 seconds, whatever is sent meanwhile, and then a whole new budget of 120 is there at once",
    clauses: ["RATE-120", "RATE-WINDOW"],
    costly: true,
    meetsLimits: true,
    requests: 700,
    seconds: 64,
    clock: "driven",
    reading:
      "Fixed, not sliding: requests of the window's beginning and of two seconds later are forgotten together, refused ones " +
      "and those of a steady caller put nothing off, and no budget comes back bit by bit. Two keys that are used up two " +
      "seconds apart are free again 60 seconds after their own first request, or both at one moment where windows are " +
      "aligned to the clock. Where the clock can be driven the second window is seen to its end as well.",
    async run(trial) {
      const [steady, first, second] = [trial.stranger, trial.route, trial.sibling].map((route) =>
        keyOf(trial, { route }),
      ) as [Key, Key, Key];
      const ask = async () => void twin(await trial.send(cheap(trial, steady), steady.from));
      // The steady caller's window opens first, so it has ended when that of the first key has.
      await ask();
      const began = await open(trial, first);
      const early = firstRefusal(await spend(trial, first, BUDGET / 2 - 1));
      if (early !== undefined) throw new EarlyRefusal(early);
      await trial.pass(APART_MS);
      let firstOpened = await useUp(trial, first, BUDGET / 2, began);
      const secondOpened = await useUp(trial, second, BUDGET - 1, await open(trial, second));
      // A window aligned to the clock has just ended: the next one is that of both keys.
      const endedBetween = isAccepted(await trial.send(cheap(trial, first), first.from));
      if (endedBetween) {
        await exhaust(trial, first, 1);
        firstOpened = { from: firstOpened.from, to: trial.now() };
      }
      // Otherwise the budget of a second window may have been used up, which ends at another time.
      if (trial.now() - began.from > WINDOW_MS / 2) throw new HarnessError("the machine was too busy for this case");
      const what = "a request accepted 60 seconds after the first of its key";
      const firstEnded = await windowEnd(trial, first, firstOpened, what, ask);
      const alsoSecond = await trial.send(cheap(trial, second), second.from);
      await mustHaveNewBudget(trial, first);
      const refused = firstRefusal(await spend(trial, steady, BUDGET - STEADY));
      if (refused !== undefined) throw new Failure("a whole new budget after 60 seconds", describe(refused), [refused]);
      // Both at once: aligned windows, of which the length cannot be seen here.
      const isAligned = isAccepted(alsoSecond) && !endedBetween;
      if (!isAligned) checkLength(firstOpened, firstEnded, "a window", alsoSecond);
      if (!isAccepted(alsoSecond)) await windowEnd(trial, second, secondOpened, what);
      if (!trial.driven) return;
      const ended = await windowEnd(trial, first, firstEnded, "a third window 60 seconds after the second");
      checkLength(firstEnded, ended, "a second window", ...trial.last);
    },
  },
];
