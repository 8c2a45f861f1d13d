/**
 * What is wrong with a target, in the order in which one fixes it. Failures at one stop of a request's way with the
 * same expected and actual have one cause; what could not be judged hangs on the stop that kept it from being judged.
 */
import type { Report, ReportedResult } from "./report.ts";
import { placeOf, stopOf, type Stop } from "./way.ts";

/** Results of one cause. The first is the one to look at: the one that took the fewest requests. */
export type Cause = readonly [ReportedResult, ...ReportedResult[]];

/** One stop of the way with all that is not a pass there. */
export interface Trouble {
  readonly stop: Stop;
  /** Failures and warnings; the cause that most of them share first, but warnings behind failures. */
  readonly failing: readonly Cause[];
  /** What could not be judged, by its reason. */
  readonly open: readonly Cause[];
}

/** Red failures first, then what leaves the run open, then the other failures and warnings; each in the way's order. */
export function troublesOf(report: Pick<Report, "results" | "verdict">): Trouble[] {
  const byStop = new Map<Stop, ReportedResult[]>();
  for (const result of report.results) {
    if (!isTrouble(result)) continue;
    const stop = stopOf(result);
    const there = byStop.get(stop);
    if (there === undefined) byStop.set(stop, [result]);
    else there.push(result);
  }
  const red = new Set(report.verdict.failed);
  const troubles = [...byStop].map(([stop, results]) => troubleAt(stop, results, red));
  const severity = ({ failing, open }: Trouble) => {
    const first = failing[0]?.[0];
    if (first !== undefined && red.has(first.id)) return 0;
    return open.length > 0 ? 1 : 2;
  };
  return troubles.toSorted((a, b) => severity(a) - severity(b) || placeOf(a.stop) - placeOf(b.stop));
}

/** The result to look at first. */
export function firstOf({ failing, open }: Trouble): ReportedResult | undefined {
  return failing[0]?.[0] ?? open[0]?.[0];
}

function isTrouble({ outcome }: ReportedResult): boolean {
  return outcome !== "pass" && outcome !== "known" && outcome !== "not-applicable";
}

const levels = ["must", "gap", "should"];

function troubleAt(stop: Stop, results: readonly ReportedResult[], red: ReadonlySet<string>): Trouble {
  const failing = causesOf(results.filter(({ signature }) => signature !== undefined));
  const rank = ([{ id, outcome, level }]: Cause) =>
    (red.has(id) ? 0 : 10) + (outcome === "fail" ? 0 : 5) + levels.indexOf(level);
  return {
    stop,
    failing: failing.toSorted((a, b) => rank(a) - rank(b) || b.length - a.length),
    open: causesOf(results.filter(({ signature }) => signature === undefined)).toSorted((a, b) => b.length - a.length),
  };
}

function causesOf(results: readonly ReportedResult[]): Cause[] {
  const groups = new Map<string, ReportedResult[]>();
  for (const result of results) {
    const { outcome, signature, reason } = result;
    const key = JSON.stringify([outcome, signature ?? reason]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [result]);
    else group.push(result);
  }
  return [...groups.values()].map((group) => group.toSorted((a, b) => a.requests - b.requests) as unknown as Cause);
}
