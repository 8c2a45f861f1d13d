/** Section 8: the rate limit, and its window, fixed and 60 seconds long. */
import { REAL_SLACK_MS, REQUESTS_PER_WINDOW, WINDOW_MS, type Interval } from "../../interface/limits.ts";
import { describe, isAccepted } from "../../http/exchange.ts";
import { HOME_ADDRESS } from "../../targets/lanes.ts";
import { Failure, NotApplicable, Unreached } from "../../harness/case-errors.ts";
import { atOnce } from "../../harness/at-once.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustAnswer, mustRefuse } from "../../harness/checks.ts";
import { cheap, earlyRefusal, firstRefusal, keyOf, shotsAt, spend, type Key } from "../../harness/limit-keys.ts";
import { isAllowed, mustBeNarrow, mustMeasure } from "../../harness/measure.ts";
import { mustFit } from "../../harness/open-values.ts";
import { mustBeWithin } from "../../harness/slow-body.ts";
import type { Trial } from "../../harness/trial.ts";
import { usedUp } from "../../harness/used-up.ts";
import {
  commonEnds,
  fewCallers,
  mustBeWatched,
  watchWindows,
  wrongRetryAfter,
  type WatchedKey,
} from "../../harness/windows.ts";
import { perServer } from "../../targets/per-server.ts";

const common = { meetsLimits: true } as const;
const BUDGET = REQUESTS_PER_WINDOW;
/** Requests that a budget has left when so many arrive at once. */
const LEFT = 3;
const AT_ONCE = 24;
const OTHERS = 12;
const BESIDE = 2;
/** A key that was used once is left alone for so many whole windows, ms: those of the clock stand as they stood. */
const QUIET_MS = 10 * WINDOW_MS;
/** So many refused requests more, behind the budget and those at once, and a count of eight bits has begun anew. */
const WRAPS = 116;

/** How many requests of a fresh key are accepted before one is refused, up to twice the budget and one more. */
async function budgetOf(trial: Trial, key: Key): Promise<number> {
  const exchanges = await spend(trial, key, BUDGET);
  let accepted = exchanges.filter(isAccepted).length;
  if (exchanges.some(({ answer }) => answer === undefined)) throw new Unreached("a request got no answer", exchanges);
  if (accepted === 0) throw new Unreached("no request was accepted", exchanges.slice(-1));
  while (accepted >= BUDGET && accepted <= 2 * BUDGET) {
    if (!isAccepted(await trial.send(cheap(trial, key), key.from))) break;
    accepted += 1;
  }
  return accepted;
}

export const rateLimitCases: readonly Case[] = [
  {
    ...common,
    id: "RATE-120-ACCEPTED",
    title: "A key gets 120 requests accepted within a window, and no more",
    clauses: ["RATE-120"],
    requests: BUDGET + 1,
    reading:
      "Counted until one is refused. A window aligned to the clock may end meanwhile; then those at another path count.",
    async run(trial) {
      // Most often a key that other cases need without its budget shows it.
      const spent = await usedUp(trial).catch((error: unknown) => {
        if (!(error instanceof Unreached)) throw error;
      });
      let accepted = spent?.accepted ?? (await budgetOf(trial, keyOf(trial, { route: trial.stranger })));
      if (accepted > BUDGET)
        accepted = Math.min(accepted, await budgetOf(trial, keyOf(trial, { route: trial.sibling })));
      const most = accepted > 2 * BUDGET ? undefined : accepted;
      mustMeasure(trial, "requests in a window", { least: accepted, most });
    },
  },
  {
    ...common,
    id: "RATE-121-REFUSED",
    costly: true,
    title: "After 117 requests a burst of 24 gets at most three accepted, and the 121st is refused",
    clauses: ["RATE-120", "RATE-KEY-ADDRESS"],
    requests: BUDGET + AT_ONCE + WRAPS,
    seconds: 63,
    clock: "driven",
    // A window aligned to the clock may end in the first half minute.
    longestMs: WINDOW_MS,
    reading:
      "The 24 arrive at one moment: a limiter that looks at the count and raises it later lets in too many. Where the " +
      "target tells addresses apart they come from 127.0.0.1, which is limited like any other, and two requests of each " +
      "of 12 other clients arrive with them. Where the clock can be driven the key was used once, ten minutes before. A " +
      "window aligned to the clock may end meanwhile; then the same at another path does not go beyond the budget. Half a " +
      "minute later 116 more are refused, and none of them puts the window's end off.",
    async run(trial) {
      const from = trial.toldApart ? HOME_ADDRESS : trial.from;
      for (const route of [trial.route, trial.sibling]) {
        const key = { route, from };
        if (trial.driven) {
          await trial.send(cheap(trial, key), from);
          await trial.pass(QUIET_MS);
        }
        const since = trial.now();
        const first = await trial.send(cheap(trial, key), from);
        // A busy machine may have opened the window at any moment since.
        const opened = trial.now();
        const early = firstRefusal([first, ...(await spend(trial, key, BUDGET - LEFT - 1))]);
        // An earlier round may have spent some of the one budget that is not the case's own.
        if (early !== undefined && key.from !== HOME_ADDRESS) throw earlyRefusal(early);
        if (early !== undefined) mustAnswer(early);
        const others = trial.toldApart ? Array.from({ length: OTHERS }, () => trial.freshAddress()) : [];
        const beside = others.flatMap((other) => shotsAt(trial, { route, from: other }, BESIDE));
        const burst = await atOnce(trial, [...shotsAt(trial, key, AT_ONCE), ...beside]);
        const refused = firstRefusal(burst.filter((exchange) => exchange.from !== from));
        if (refused !== undefined)
          throw new Failure("two requests of a client accepted, whatever others send", describe(refused), [refused]);
        let accepted =
          BUDGET - LEFT + burst.filter((exchange) => exchange.from === from && isAccepted(exchange)).length;
        // The slots of the others may be what refused some of them.
        for (; accepted <= BUDGET; accepted += 1) {
          const next = await trial.send(cheap(trial, key), key.from);
          if (isAccepted(next)) continue;
          mustRefuse(next);
          await trial.pass(WINDOW_MS / 2);
          if ((await spend(trial, key, WRAPS)).some(isAccepted)) break;
          await trial.pass(Math.max(0, opened + WINDOW_MS + REAL_SLACK_MS - trial.now()));
          mustAccept(await trial.send(cheap(trial, key), key.from), "a request accepted when the window is over");
          return;
        }
        mustBeWithin(trial, since, WINDOW_MS);
      }
      throw new Failure("no more than 120 requests accepted in a window", "more of them at two paths", trial.last);
    },
  },
  {
    ...common,
    id: "RATE-RETRY-AFTER",
    title: "The rate limit's Retry-After is never longer than a window",
    clauses: ["RATE-WINDOW"],
    level: "should",
    requests: BUDGET + 1,
    reading:
      "The interface gives the refusal no header. Where there is a Retry-After, it holds seconds or a date (RFC 9110, " +
      "10.2.3), and a client that takes milliseconds or a moment since 1970 for seconds waits for hours or years.",
    async run(trial) {
      const { refusal } = await usedUp(trial);
      const [told] = refusal.answer?.headers.get("retry-after") ?? [];
      if (told === undefined) throw new NotApplicable("the refusal has no Retry-After");
      const isDate = Number.isNaN(Number(told)) && !Number.isNaN(Date.parse(told));
      if (isDate && trial.driven)
        throw new NotApplicable("Retry-After is a date, which cannot be checked with a driven clock");
      const seconds = isDate ? (Date.parse(told) - Date.now()) / 1000 : /^\d+$/.test(told) ? Number(told) : Number.NaN;
      const actual = Number.isNaN(seconds) ? "neither seconds nor a date" : "a longer wait";
      // A window may hold its sixtieth second.
      check(seconds <= WINDOW_MS / 1000 + 1, "a Retry-After of 60 seconds at most, or a date as near", actual, refusal);
    },
  },
];

/** Of the cases that watch windows. */
const watching = {
  ...common,
  costly: true,
  isQuickIfDriven: true,
  requests: 3 * BUDGET,
  seconds: 63,
  clock: "driven",
  // Windows that end by the clock show their length with their second end.
  longestMs: WINDOW_MS,
} as const;

const ordinals = ["first", "second", "third"];

type SeenWindow = ReturnType<typeof windowsIn>[number];

/** The windows of keys whose length is known. A key's first one may be two where windows end by the clock. */
function windowsIn(keys: readonly WatchedKey[]) {
  const ends = commonEnds(keys);
  return keys.flatMap((key) =>
    key.windows.flatMap(({ accepted, ended }, index) => {
      const length = key.lengthOf(index, ends);
      const note = `in the ${ordinals[index] ?? "last"} window of a caller that ${key.caller}`;
      const most = ends.length > 0 && index === 0 ? 2 * BUDGET : BUDGET;
      // Requests that were accepted in it, and how many may be.
      return length === undefined ? [] : [{ length, accepted, most, hasEnded: ended !== undefined, note }];
    }),
  );
}

const isRight = (trial: Trial, { length }: SeenWindow): boolean => isAllowed(trial, "window", length);
const isOdd = ({ accepted, most }: SeenWindow): boolean => accepted < BUDGET || accepted > most;

const watched = perServer(() => ({ keys: undefined as readonly WatchedKey[] | undefined }));

/** Watches windows, and keeps what was seen for the case that needs no more than that. */
async function watch(trial: Trial): Promise<readonly WatchedKey[]> {
  let keys = await watchWindows(trial, trial.driven ? fewCallers : undefined);
  // Windows may begin with a whole second: that shows where two keys that retry began in one.
  if (trial.driven && trial.toldApart && windowsIn(keys).some((one) => !isRight(trial, one) || isOdd(one)))
    keys = await watchWindows(trial);
  watched(trial.server).keys = keys;
  return keys;
}

const width = ({ least, most = Number.POSITIVE_INFINITY }: Interval) => most - least;

export const rateWindowCases: readonly Case[] = [
  {
    ...watching,
    id: "RATE-WINDOW-60-SECONDS",
    title: "A window lasts 60 seconds; then the whole budget of 120 is available at once",
    clauses: ["RATE-WINDOW", "RATE-120"],
    reading:
      "Fixed, not sliding: keys are used up at different moments. One then asks again when its window should end, one has " +
      "asked now and then, others ask all the time, and new keys come in; none of that puts the end off or brings it " +
      "nearer. A window may open with its key's first request, " +
      "or end for all keys by the clock, which is watched for a whole period. Measured to the millisecond where the clock " +
      "can be driven, and then in later windows, too; else to 0.3 seconds.",
    async run(trial) {
      const keys = await watch(trial);
      const isByClock = commonEnds(keys).length > 0;
      const windows = windowsIn(keys);
      const odd = windows.find((one) => isRight(trial, one) && isOdd(one));
      const narrowest = windows.toSorted((a, b) => width(a.length) - width(b.length));
      const worst = narrowest.find((one) => !isRight(trial, one));
      if (odd !== undefined || worst !== undefined) mustBeWatched(trial, keys);
      if (odd !== undefined)
        mustMeasure(trial, "requests in a window", { least: odd.accepted, most: odd.accepted }, odd.note);
      if (worst !== undefined) mustMeasure(trial, "window", worst.length, worst.note);
      const best = narrowest.find(({ hasEnded, length }) => hasEnded && length.most !== undefined)?.length ?? {
        least: 0,
      };
      if (!trial.driven) mustBeNarrow(best);
      mustMeasure(trial, "window", best, isByClock ? "ending by the clock" : "opened by a key's first request");
      if (!trial.driven) return;
      for (const key of keys) await key.mustBeBack();
    },
  },
  {
    ...watching,
    id: "RATE-WINDOW-OPENED",
    title: "A window starts with its key's first request or on the clock, as the profile says",
    clauses: ["RATE-WINDOW"],
    gaps: ["rate.first-request-opens"],
    reading: "Keys are used up at different moments: their windows end apart, as they began, or some of them together.",
    async run(trial) {
      // Where the windows were watched before, they show it.
      const isByClock = commonEnds(watched(trial.server).keys ?? (await watch(trial))).length > 0;
      mustFit(trial, "rate.first-request-opens", !isByClock, ...trial.last);
    },
  },
  {
    ...watching,
    id: "GAP-RETRY-AFTER",
    title: "Waiting as long as Retry-After says suffices, and one second less does not",
    clauses: ["ERROR-STATUSES", "RATE-WINDOW"],
    gaps: ["rate.retry-after"],
    reading: "Each refusal of the keys whose windows are watched is held against the end of its window.",
    async run(trial) {
      const keys = watched(trial.server).keys ?? (await watch(trial));
      if (!keys.some(({ windows }) => windows.some(({ ended, refusals }) => ended && refusals.length > 0)))
        throw new Unreached("no window ended while the case watched", trial.last);
      const wrong = wrongRetryAfter(keys, trial.driven ? 0 : REAL_SLACK_MS);
      const isDemanded = trial.profile.gaps["rate.retry-after"] === true;
      const value = wrong === undefined ? true : isDemanded ? wrong.why : false;
      mustFit(trial, "rate.retry-after", value, ...(wrong === undefined ? trial.last : [wrong.exchange]));
    },
  },
];
