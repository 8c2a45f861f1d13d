/** Section 8: the rate limit's window, fixed and 60 seconds long. */
import type { Case } from "../case.ts";
import { check, mustAccept } from "../checks.ts";
import { Failure, Unreached } from "../findings.ts";
import { describe, isAccepted, type Exchange } from "../http/exchange.ts";
import { REQUESTS_PER_WINDOW, WINDOW_MS } from "../target/lanes.ts";
import type { Trial } from "../trial.ts";
import { cheap, exhaust, firstRefusal, keyOf, refusedNext, spend, type Key } from "./keys.ts";

const common = { level: "must", meetsLimits: true } as const;
const BUDGET = REQUESTS_PER_WINDOW;
/** How finely the end of a window is watched, ms. */
const WATCH_STEP_MS = 500;
/** A clock that is read a little late makes no other window, ms. */
const TOLERANCE_MS = 2000;
/** Between the first requests of two keys, ms. */
const APART_MS = 1500;

/** Lets time pass until a request at the key is accepted, at most until `deadline` on the trial's clock. */
async function acceptedBy(trial: Trial, key: Key, deadline: number): Promise<Exchange> {
  for (;;) {
    await trial.pass(WATCH_STEP_MS);
    const exchange = await trial.send(cheap(trial, key), key.from);
    if (isAccepted(exchange) || trial.now() > deadline) return exchange;
  }
}

/** Fails unless the time since `opened` is that of one window, as far as a watch in steps can tell. */
function checkLength(trial: Trial, opened: number, what: string, exchange: Exchange): void {
  const off = Math.abs(trial.now() - opened - WINDOW_MS);
  check(off <= TOLERANCE_MS, `${what} of 60 seconds`, "one of another length", exchange);
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
      const early = firstRefusal(await spend(trial, key, BUDGET / 2));
      if (early !== undefined)
        throw new Unreached(`a request within the budget was refused: ${describe(early)}`, [early]);
      await trial.pass(2000);
      await spend(trial, key, BUDGET / 2);
      await refusedNext(trial, key);
      const exchange = await acceptedBy(trial, key, trial.now() + WINDOW_MS + TOLERANCE_MS);
      mustAccept(exchange, "a request accepted 60 seconds after the first");
      const refused = firstRefusal(await spend(trial, key, BUDGET - 1));
      if (refused !== undefined) throw new Failure("119 more accepted in the new window", describe(refused), [refused]);
      const limited = await refusedNext(trial, key).catch(() => undefined);
      check(limited !== undefined, "the limit in the new window as well", "no refusal", ...trial.exchanges.slice(-1));
    },
  },
  {
    ...common,
    id: "RATE-WINDOW-60-SECONDS",
    title: "A window lasts 60 seconds",
    clauses: ["RATE-WINDOW"],
    requests: 500,
    seconds: 64,
    reading:
      "Two keys that start 1.5 seconds apart are free again 60 seconds after their own first request, or both at one moment where windows are aligned to the clock.",
    async run(trial) {
      const [first, second] = [keyOf(trial), keyOf(trial, { route: trial.sibling })];
      const firstOpened = trial.now();
      await exhaust(trial, first);
      await trial.pass(APART_MS);
      const secondOpened = trial.now();
      await exhaust(trial, second);
      const a = await acceptedBy(trial, first, firstOpened + WINDOW_MS + TOLERANCE_MS);
      mustAccept(a, "a request accepted 60 seconds after the first of its key");
      const alsoSecond = await trial.send(cheap(trial, second), second.from);
      // Both at once: aligned windows, of which the length cannot be seen here.
      if (isAccepted(alsoSecond)) return;
      checkLength(trial, firstOpened, "a window", a);
      const b = await acceptedBy(trial, second, secondOpened + WINDOW_MS + TOLERANCE_MS);
      mustAccept(b, "a request accepted 60 seconds after the first of its key");
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
      await exhaust(trial, key);
      const next = await acceptedBy(trial, key, trial.now() + WINDOW_MS + TOLERANCE_MS);
      mustAccept(next, "a new window within 60 seconds");
      const opened = trial.now();
      const refused = firstRefusal(await spend(trial, key, BUDGET - 1));
      if (refused !== undefined) throw new Unreached("the second window has no whole budget", [refused]);
      await refusedNext(trial, key);
      const third = await acceptedBy(trial, key, opened + WINDOW_MS + TOLERANCE_MS);
      mustAccept(third, "a third window 60 seconds after the second");
      checkLength(trial, opened, "a second window", third);
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
];
