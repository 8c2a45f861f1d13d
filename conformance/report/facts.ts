/** What a report says of its run as a whole: every form prints these facts in these words. */
import type { Outcome } from "../harness/result.ts";
import { limitNames } from "../interface/limits.ts";
import type { Report, ReportedResult } from "./report.ts";
import { judgedNothing, NOTHING_JUDGED } from "./verdict.ts";

export const outcomeOrder = ["fail", "warn", "unreached", "error", "known", "pass", "not-applicable"] as const;

export type Counts = Readonly<Partial<Record<Outcome, number>>>;

export function countsOf(results: readonly { readonly outcome: Outcome }[]): Counts {
  const counts: Partial<Record<Outcome, number>> = {};
  for (const outcome of outcomeOrder) {
    const count = results.filter((result) => result.outcome === outcome).length;
    if (count > 0) counts[outcome] = count;
  }
  return counts;
}

export function countsInWords(counts: Counts): string {
  return Object.entries(counts)
    .flatMap(([outcome, count]) => (count > 0 ? [`${count} ${outcome}`] : []))
    .join(", ");
}

/** `A, B and 3 more`. */
export function firstNames(names: readonly (string | number)[], most: number): string {
  const more = names.length - most;
  return names.slice(0, most).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** `7 cases`, `1 entry`, `2 entries`. */
export const number = (count: number, what: string) =>
  `${count} ${count === 1 ? what : `${what.replace(/y$/, "ie")}s`}`;

/** The verdict in words: `partial run: NOT CONFORMANT`, `CONFORMANT with 3 warnings`. */
export function judgementOf(report: Report): string {
  const { partial, judgement } = report.verdict;
  const warnings = warningsIn(report);
  const said = `${partial ? "partial run: " : ""}${judgement.toUpperCase()}`;
  return warnings > 0 ? `${said} with ${number(warnings, "warning")}` : said;
}

export const warningsIn = ({ verdict: { judgement, counts } }: Report): number =>
  judgement === "conformant" ? (counts.warn ?? 0) + (counts.fail ?? 0) : 0;

export const minuteOf = ({ startedAt }: Report) => startedAt.slice(0, 16).replace("T", " ");

/** What keeps the run from being green; nothing where only advice or the baseline has a remark. */
export function wrongIn({ verdict, results }: Report): string[] {
  const { failed, counts } = verdict;
  const unreached = results.filter(({ outcome }) => outcome === "unreached");
  return [
    ...(failed.length > 0 ? [`${failed.length} of ${number(results.length, "case")} failed`] : []),
    ...unreachedInWords(unreached, failed.length > 0 ? " because of them" : ""),
    ...(counts.error ? [number(counts.error, "error")] : []),
  ];
}

/** `2 unreached because of them, 1 unreached as time ran out`: no failure is the reason where time ran out. */
export function unreachedInWords(unreached: readonly Pick<ReportedResult, "late">[], because: string): string[] {
  const late = unreached.filter((result) => result.late === true).length;
  const blocked = unreached.length - late;
  return [
    ...(blocked > 0 ? [`${blocked} unreached${because}`] : []),
    ...(late > 0 ? [`${late} unreached as time ran out`] : []),
  ];
}

/** Limits of the verdict: simulated time, a partial run, nothing judged. */
export function remarksOn(report: Report): string[] {
  const { verdict } = report;
  // A failure is final even in a partial run.
  const isRed = verdict.judgement === "not conformant";
  return [
    ...clocksIn(report),
    ...(verdict.partial ? [`partial run: ${partOf(report)}${isRed ? "" : "; no release verdict"}`] : []),
    ...(judgedNothing(verdict.counts) ? [NOTHING_JUDGED] : []),
  ];
}

/** Which part of the suite was asked for, or was judged before an interrupt, in words. */
export function partOf({ results: all, suite, selection, verdict, stopped }: Report): string {
  if (!verdict.partial) return "the whole suite";
  const results = all.filter(({ file }) => file === undefined);
  if (results.length === 0 && all.length > 0) return "replay files alone";
  if (verdict.judgement === "interrupted") return `interrupted, ${results.length} of ${suite.cases} cases were judged`;
  if (stopped !== undefined) return `${stopped}: ${results.length} of ${suite.cases} cases were judged`;
  if (results.length === suite.cases) return "without long waits and floods (--quick)";
  const { shard } = selection;
  const which = shard === undefined ? "judged" : `in shard ${shard.index} of ${shard.of}`;
  return `${results.length} of ${suite.cases} cases ${which}`;
}

/** On which clocks a verdict rests that rests on more than real time. */
function clocksIn({ clock, results, verdict }: Report): string[] {
  if (clock === "driven") return [verdict.partial ? MOVED_CLOCK : SIMULATED_TIME];
  if (clock === "real") return [];
  const on = (one: "real" | "driven") => results.filter((result) => result.clock === one).length;
  const driven = number(on("driven"), "case");
  return [`Judged on both clocks: ${driven} with the driven one, to the millisecond, ${on("real")} in real time.`];
}

const MOVED_CLOCK = "Time was simulated: the control port moved the clock.";
const SIMULATED_TIME = `${MOVED_CLOCK} For a release let the start command take {clock}, so that real time is judged as well.`;

/** What a run measured, in the order of the interface: one row for each limit and circumstance. */
export function measuresIn(results: readonly ReportedResult[]) {
  const all = results.flatMap(({ measures = [] }) => measures);
  return limitNames.flatMap((name) => all.filter(({ limit }) => limit === name));
}
