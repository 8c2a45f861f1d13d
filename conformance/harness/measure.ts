/** Measuring a limit: the target's own value is found from both sides, kept for the report, and judged. */
import { limits, REAL_SLACK_MS, type Interval, type LimitName } from "../interface/limits.ts";
import { describe, isAccepted } from "../http/exchange.ts";
import { OutOfTime } from "../http/harness-error.ts";
import { Failure } from "./case-errors.ts";
import type { Trial } from "./trial.ts";

/**
 * The smallest whole number from `least` to `most` for which `isOver` holds, found by halving; undefined where there is none.
 * `guesses`: where it is looked for first. One of them is right on a correct target, which takes two questions.
 */
export async function edge(
  isOver: (value: number) => Promise<boolean>,
  { guesses, least, most }: Readonly<{ guesses: readonly number[]; least: number; most: number }>,
): Promise<number | undefined> {
  let [low, high] = [least - 1, most + 1];
  const guessed = guesses.flatMap((guess) => [guess - 1, guess]);
  for (;;) {
    if (high - low === 1) return high > most ? undefined : high;
    const value = guessed.shift() ?? Math.floor((low + high) / 2);
    if (value <= low || value >= high) continue;
    if (await isOver(value)) high = value;
    else low = value;
  }
}

/** An interval for people: on a driven clock to the millisecond, on a real one to a tenth of a second. */
function inWords(limit: LimitName, { least, most }: Interval, driven: boolean): string {
  const { unit } = limits[limit];
  const seconds = (ms: number) => `${(ms / 1000).toFixed(driven ? 3 : 1)} s`;
  const told = (value: number) => (unit === "ms" ? seconds(value) : `${value}${unit === "" ? "" : ` ${unit}`}`);
  if (most === undefined) return `at least ${told(least)}`;
  const slack = driven ? 1 : REAL_SLACK_MS;
  if (unit === "ms" ? most - least <= slack : most === least) return told(driven ? most : (least + most) / 2);
  return 2 * least < most ? `at most ${told(most)}` : `${told(least)} to ${told(most)}`;
}

/**
 * Whether some of an interval lies within what the interface states: one that is wide, as on a machine that stalls, blames
 * nobody.
 */
export function isAllowed({ driven }: Pick<Trial, "driven">, limit: LimitName, value: Interval): boolean {
  const { unit, allowed } = limits[limit];
  const slack = unit === "ms" && !driven ? REAL_SLACK_MS : 0;
  const { least, most = Number.POSITIVE_INFINITY }: Interval = allowed;
  return (value.most ?? Number.POSITIVE_INFINITY) >= least - slack && value.least <= most + slack;
}

/** Keeps a measure for the report, and fails unless the interface allows it. `note`: in which circumstances it was taken. */
export function mustMeasure(trial: Trial, limit: LimitName, value: Interval, note?: string): void {
  const { stated, unit } = limits[limit];
  const measured = inWords(limit, value, trial.driven);
  trial.record.measures.push({ limit, ...value, stated, measured, note });
  if (isAllowed(trial, limit, value)) return;
  // Names the refusal, which may be another limit or an error. With windows and tracked keys most answers are refusals.
  const refusal = trial.record.exchanges.findLast((one) => !isAccepted(one));
  const by = unit === "ms" || limit === "tracked keys" || refusal === undefined ? [] : [refusal];
  const how = by.map((one) => `then refused with ${describe(one)}`);
  const actual = [measured, ...(note === undefined ? [] : [note]), ...how].join(", ");
  throw new Failure(`${limit}: ${stated}`, actual, by.length > 0 ? by : trial.last);
}

/** Throws `OutOfTime` where a measure on a real clock is too wide to say anything. */
export function mustBeNarrow({ least, most = Number.POSITIVE_INFINITY }: Interval): void {
  if (most < least || most - least > 4 * REAL_SLACK_MS)
    throw new OutOfTime("the machine was too busy, or the target too slow, to measure in real time");
}
