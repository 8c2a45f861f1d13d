/** Section 8: the rate limit's window, fixed and 60 seconds long. */
import { REAL_SLACK_MS, REQUESTS_PER_WINDOW, WINDOW_MS, type Interval } from "../../interface/limits.ts";
import { isAccepted } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept } from "../../harness/checks.ts";
import { cheap, exhausted, keyOf } from "../../harness/limit-keys.ts";
import { isAllowed, mustBeNarrow, mustMeasure } from "../../harness/measure.ts";
import { commonEnds, watchWindows } from "../../harness/windows.ts";

const common = { costly: true, meetsLimits: true } as const;
const BUDGET = REQUESTS_PER_WINDOW;
/** Between the first requests of two keys, ms. */
const APART_MS = 1300;

const ordinals = ["first", "second", "third"];
const width = ({ least, most = Number.POSITIVE_INFINITY }: Interval) => most - least;

export const rateWindowCases: readonly Case[] = [
  {
    ...common,
    id: "RATE-WINDOW-60-SECONDS",
    title: "A window lasts 60 seconds, whoever calls meanwhile, and then a whole new budget of 120 is there at once",
    clauses: ["RATE-120", "RATE-WINDOW"],
    requests: 3 * BUDGET,
    seconds: 63,
    clock: "driven",
    // Windows that end by the clock show their length with their second end.
    longestMs: WINDOW_MS,
    reading:
      "Fixed, not sliding: four keys are used up at different moments. One then keeps silent, one has asked steadily, two " +
      "ask all the time; none of that puts the end off or brings it nearer. A window may open with its key's first request, " +
      "or end for all keys by the clock, which is watched for a whole period. Measured to the millisecond where the clock " +
      "can be driven, and then in later windows, too; else to 0.3 seconds.",
    async run(trial) {
      const keys = await watchWindows(trial);
      const ends = commonEnds(keys);
      const isByClock = ends.length > 0;
      const opens = isByClock ? "ending by the clock" : "opened by a key's first request";
      let best: Interval = { least: 0 };
      let worst: { length: Interval; note: string } | undefined;
      for (const key of keys) {
        for (const [index, { accepted, ended }] of key.windows.entries()) {
          const length = key.lengthOf(index, ends);
          const note = `in the ${ordinals[index] ?? "last"} window of a caller that ${key.caller}`;
          if (length === undefined) continue;
          const most = isByClock && index === 0 ? 2 * BUDGET : BUDGET;
          const isWrong = !isAllowed(trial, "window", length);
          if (isWrong && (worst === undefined || width(length) < width(worst.length))) worst = { length, note };
          if (isWrong) continue;
          if (accepted < BUDGET || accepted > most)
            mustMeasure(trial, "requests in a window", { least: accepted, most: accepted }, { note });
          if (ended !== undefined && width(length) < width(best)) best = length;
        }
      }
      if (worst !== undefined) mustMeasure(trial, "window", worst.length, { note: worst.note });
      if (!trial.driven) mustBeNarrow(best);
      mustMeasure(trial, "window", best, { note: opens });
    },
  },
  {
    ...common,
    id: "RATE-WINDOW-OPENED",
    title: "A window opens with the first request of its key, or ends by the clock, as the profile says",
    clauses: ["RATE-WINDOW"],
    gaps: ["rate.first-request-opens"],
    requests: BUDGET + 4,
    seconds: 63,
    clock: "driven",
    reading:
      "Two keys are used up a moment apart: each is refused until 60 seconds after its own first request, or one is not.",
    async run(trial) {
      const expected = trial.gap("rate.first-request-opens");
      const keys = [trial.route, trial.sibling].map((route) => keyOf(trial, { route }));
      const begun: number[] = [];
      for (const key of keys) {
        begun.push(trial.now());
        await exhausted(trial, key);
        await trial.pass(APART_MS);
      }
      let opens = true;
      for (const after of [WINDOW_MS - 2 * REAL_SLACK_MS, WINDOW_MS + REAL_SLACK_MS]) {
        for (const [index, key] of keys.entries()) {
          const at = (begun[index] ?? 0) + after;
          await trial.pass(Math.max(0, at - trial.now()));
          const exchange = await trial.send(cheap(trial, key), key.from);
          const isOnTime = trial.now() < at + REAL_SLACK_MS;
          if (after > WINDOW_MS) mustAccept(exchange, "a request accepted when the window is over");
          else if (isOnTime && isAccepted(exchange)) opens = false;
        }
      }
      const [first, clock] = ["60 s after each key's first request", "at another moment"];
      check(opens === expected, `the end ${expected ? first : clock}`, opens ? first : clock, ...trial.last);
    },
  },
];
