/** Section 8: the rate limit's window, fixed and 60 seconds long. */
import { IN_FLIGHT, REQUESTS_PER_WINDOW, WINDOW_MS } from "../../interface/limits.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import { HarnessError } from "../../http/harness-error.ts";
import { Failure, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, twin } from "../../harness/checks.ts";
import { cheap, exhaust, firstRefusal, hold, keyOf, refusedNext, spend, type Key } from "../../harness/limit-keys.ts";
import type { Trial } from "../../harness/trial.ts";

const common = { costly: true, level: "must", meetsLimits: true } as const;
const BUDGET = REQUESTS_PER_WINDOW;
/** How finely the end of a window is watched, ms. */
const WATCH_STEP_MS = 500;
/** Tolerance for a clock that is read late, ms. */
const LATE_MS = 1000;
/** Between the first requests of two keys, ms. */
const APART_MS = 1500;

/** Between the requests of a steady caller, ms. */
const STEADY_STEP_MS = 3000;

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

/** Uses up a budget of which one request is spent. Returns the time span in which that window opened: see `exhaust`. */
async function useUp(trial: Trial, key: Key, { from }: Span): Promise<Span> {
  await exhaust(trial, key, 1);
  return { from, to: trial.now() };
}

/** Lets time pass until a request is accepted again; fails when that takes longer than a window. */
async function windowEnd(trial: Trial, key: Key, opened: Span, what: string): Promise<Span> {
  let from = trial.now();
  for (;;) {
    await trial.pass(WATCH_STEP_MS);
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

/** Eight bodies that run out of time at this key. Takes 15.5 seconds of the target's. */
async function runOut(trial: Trial, key: Key): Promise<void> {
  const { uploads } = await hold(trial, key, IN_FLIGHT);
  await trial.pass(15_500);
  for (const upload of uploads) {
    if (!(await upload.answeredWithin(2500))) throw new Unreached("a body that was late was not refused");
    const exchange = await trial.answerOf(upload);
    if (isAccepted(exchange)) throw new Unreached("a body that was late was not refused", [exchange]);
  }
}

export const rateWindowCases: readonly Case[] = [
  {
    ...common,
    id: "RATE-SPREAD-OVER-WINDOW",
    title: "120 requests spread over a window use it up just as a burst does",
    clauses: ["RATE-120"],
    requests: BUDGET + 1,
    seconds: 22,
    reading:
      "A budget that refills little by little lets more than 120 through in a window. A window that ends on the way only lets the burst go on.",
    async run(trial) {
      const key = keyOf(trial);
      const early = firstRefusal(await spend(trial, key, BUDGET));
      if (early !== undefined)
        throw new Unreached(`a request within the budget was refused: ${describe(early)}`, [early]);
      await refusedNext(trial, key);
      await trial.pass(20_000);
      const after = await trial.send(cheap(trial, key), key.from);
      if (!isAccepted(after)) return;
      // Either the window has ended, then a whole budget is there, or the budget refilled in part.
      const refused = firstRefusal(await spend(trial, key, BUDGET - 1));
      check(refused === undefined, "no budget before the window's end, or a whole one after it", "a part of it", after);
    },
  },
  {
    ...common,
    id: "RATE-WINDOW-NEW-BUDGET",
    title: "After the window's end a whole new budget of 120 is there at once",
    clauses: ["RATE-WINDOW"],
    requests: 500,
    seconds: 63,
    reading:
      "Fixed, not sliding: requests of the window's beginning and of its middle are forgotten together. When a window opens (first request, or aligned to the clock) is left open.",
    async run(trial) {
      const key = keyOf(trial);
      const opened = await open(trial, key);
      const early = firstRefusal(await spend(trial, key, BUDGET / 2 - 1));
      if (early !== undefined)
        throw new Unreached(`a request within the budget was refused: ${describe(early)}`, [early]);
      await trial.pass(2000);
      await spend(trial, key, BUDGET / 2);
      await refusedNext(trial, key);
      // A window aligned to the clock may have ended meanwhile: then the one that is used up opened later.
      const last = { from: opened.from, to: trial.now() };
      await windowEnd(trial, key, last, "a request accepted within 60 seconds");
      const refused = firstRefusal(await spend(trial, key, BUDGET - 1));
      if (refused !== undefined) throw new Failure("119 more accepted in the new window", describe(refused), [refused]);
      const limited = await refusedNext(trial, key).catch(() => undefined);
      check(limited !== undefined, "the limit in the new window as well", "no refusal", ...trial.last);
    },
  },
  {
    ...common,
    id: "RATE-WINDOW-60-SECONDS",
    title: "A window lasts 60 seconds",
    clauses: ["RATE-WINDOW"],
    requests: 620,
    seconds: 64,
    reading:
      "Two keys that start 1.5 seconds apart are free again 60 seconds after their own first request, or both at one moment where windows are aligned to the clock.",
    async run(trial) {
      const [first, second] = [keyOf(trial), keyOf(trial, { route: trial.sibling })];
      let firstOpened = await useUp(trial, first, await open(trial, first));
      await trial.pass(APART_MS);
      const secondOpened = await useUp(trial, second, await open(trial, second));
      // A window aligned to the clock has just ended: the next one is that of both keys.
      const endedBetween = isAccepted(await trial.send(cheap(trial, first), first.from));
      if (endedBetween) firstOpened = await useUp(trial, first, firstOpened);
      // Otherwise the budget of a second window may have been used up, which ends at another time.
      if (trial.now() - firstOpened.from > WINDOW_MS / 2)
        throw new HarnessError("the machine was too busy for this case");
      const what = "a request accepted 60 seconds after the first of its key";
      const firstEnded = await windowEnd(trial, first, firstOpened, what);
      const alsoSecond = await trial.send(cheap(trial, second), second.from);
      // Both at once: aligned windows, of which the length cannot be seen here.
      if (isAccepted(alsoSecond) && !endedBetween) return;
      checkLength(firstOpened, firstEnded, "a window", alsoSecond);
      if (!isAccepted(alsoSecond)) await windowEnd(trial, second, secondOpened, what);
    },
  },
  {
    ...common,
    id: "RATE-WINDOW-SECOND-LENGTH",
    title: "The second window of a key lasts 60 seconds as well",
    clauses: ["RATE-WINDOW"],
    needs: ["clock"],
    requests: 700,
    seconds: 125,
    async run(trial) {
      const key = keyOf(trial);
      const first = await useUp(trial, key, await open(trial, key));
      const second = await windowEnd(trial, key, first, "a second window within 60 seconds");
      const refused = firstRefusal(await spend(trial, key, BUDGET - 1));
      if (refused !== undefined) throw new Unreached("the second window has no whole budget", [refused]);
      await refusedNext(trial, key);
      const ended = await windowEnd(trial, key, second, "a third window 60 seconds after the second");
      checkLength(second, ended, "a second window", ...trial.last);
    },
  },
  {
    ...common,
    id: "RATE-ACCEPTED-DO-NOT-PROLONG",
    title: "Requests accepted now and then do not put off the window's end",
    clauses: ["RATE-WINDOW"],
    requests: 2 * BUDGET + 20,
    seconds: 64,
    reading:
      "A fixed window ends 60 seconds after it opened. Another path, used up at the same time, tells when that is, also for windows aligned to the clock.",
    async run(trial) {
      const [steady, watched] = [keyOf(trial), keyOf(trial, { route: trial.sibling })];
      await open(trial, steady);
      const { to } = await useUp(trial, watched, await open(trial, watched));
      const deadline = to + WINDOW_MS + 3 * LATE_MS;
      for (let ended = false; !ended && trial.now() < deadline;) {
        await trial.pass(STEADY_STEP_MS);
        twin(await trial.send(cheap(trial, steady), steady.from));
        ended = isAccepted(await trial.send(cheap(trial, watched), watched.from));
      }
      // The steady key's window opened a moment before the other's, so it has ended as well.
      const refused = firstRefusal(await spend(trial, steady, BUDGET - 5));
      if (refused !== undefined) throw new Failure("a whole new budget after 60 seconds", describe(refused), [refused]);
    },
  },
  {
    ...common,
    id: "RATE-REFUSED-DO-NOT-PROLONG",
    title: "Requests refused by the rate limit do not put off the window's end",
    clauses: ["RATE-WINDOW"],
    requests: 400,
    seconds: 62,
    reading: "A fixed window ends 60 seconds after it opened, whatever is sent meanwhile.",
    async run(trial) {
      const key = keyOf(trial);
      await exhaust(trial, key);
      for (const ms of [20_000, 20_000, 15_000]) {
        await trial.pass(ms);
        await spend(trial, key, 10);
      }
      await trial.pass(6000);
      mustAccept(await trial.send(cheap(trial, key), key.from), "a request accepted after 61 seconds");
    },
  },
  {
    ...common,
    id: "RATE-TIMEOUT-SPENDS-BUDGET",
    title: "Requests whose body ran out of time have passed the rate limit and spend its budget",
    clauses: ["RATE-120"],
    needs: ["clock"],
    requests: 700,
    seconds: 220,
    reading:
      "120 requests of a key pass in a window, whatever becomes of them. Another path, used up at the same time, tells " +
      "whether windows aligned to the clock ended on the way; then the same is seen a minute later.",
    async run(trial) {
      const [late, watched] = [keyOf(trial), keyOf(trial, { route: trial.sibling })];
      for (let tries = 0; tries < 3; tries += 1) {
        if (tries > 0) await trial.pass(WINDOW_MS);
        await useUp(trial, watched, await open(trial, watched));
        await runOut(trial, late);
        await runOut(trial, late);
        const exchanges = await spend(trial, late, BUDGET);
        if (isAccepted(await trial.send(cheap(trial, watched), watched.from))) continue;
        const some = firstRefusal(exchanges) !== undefined;
        check(some, "fewer than 120 accepted after 16 that ran out of time", "120", ...exchanges.slice(-1));
        return;
      }
      throw new Unreached("windows ended whenever they were looked at");
    },
  },
];
