/** Compares a run's results with the baseline: what is known, and where the baseline is no longer true. */
import { isInvariant } from "../../harness/case.ts";
import type { JudgedResult } from "../../harness/result.ts";
import type { Report } from "../report.ts";
import type { BaselineEntry } from "./baseline.ts";
import { isKnown } from "./signature.ts";

type BaselineUse = NonNullable<Report["baseline"]>;
type BaselineFault = BaselineUse["faults"][number];

interface Applied<R> extends Pick<BaselineUse, "faults" | "untested"> {
  /** The results, known deviations marked so. */
  readonly results: R[];
}

/** What breaks an invariant may be a case that did not run: in a part of the suite its pass says nothing. */
export const isUnseen = ({ id, outcome }: JudgedResult, partial: boolean): boolean =>
  partial && isInvariant(id) && outcome === "pass";

/** `day`: when the run began, UTC, YYYY-MM-DD; `partial`: not the whole suite ran. */
export function applyBaseline<R extends JudgedResult>(
  entries: readonly BaselineEntry[],
  results: readonly R[],
  day: string,
  partial = false,
): Applied<R> {
  const faults: BaselineFault[] = [];
  const untested: string[] = [];
  const known = new Set<string>();
  for (const entry of entries) {
    const result = results.find(({ id }) => id === entry.case);
    const isJudged = result !== undefined && ["pass", "fail", "warn"].includes(result.outcome);
    if (!isJudged || isUnseen(result, partial)) {
      untested.push(entry.case);
      continue;
    }
    const fault = faultOf(entry, result, day);
    if (fault === undefined) known.add(entry.case);
    else faults.push({ case: entry.case, ...fault });
  }
  return {
    results: results.map((result) => (known.has(result.id) ? { ...result, outcome: "known" as const } : result)),
    faults,
    untested,
  };
}

/** How long before its day an entry is said to expire, days. */
const SOON = 14;

/** The entries that expire soon, in a sentence; undefined where there are none. */
export function expiringSoon(entries: readonly BaselineEntry[], day: string): string | undefined {
  const last = new Date(Date.parse(day) + SOON * 86_400_000).toISOString().slice(0, 10);
  const soon = entries.flatMap(({ case: id, expires = "" }) =>
    expires >= day && expires <= last ? [`${id} (accepted until ${expires})`] : [],
  );
  return soon.length === 0 ? undefined : `in the baseline, expiring within ${SOON} days: ${soon.join(", ")}`;
}

function faultOf(entry: BaselineEntry, result: JudgedResult, day: string): Omit<BaselineFault, "case"> | undefined {
  if (result.outcome === "pass") {
    return { fault: "stale", said: "It passes now: take its entry out of the baseline." };
  }
  if (!isKnown(result.signature, entry.signature)) {
    const said =
      `It fails in another way than the baseline knows. Known: ${entry.signature}. ` +
      `Now: ${result.signature ?? "(no signature)"}. Fix it, or write the baseline again and give a new reason.`;
    return { fault: "changed", said };
  }
  if (entry.expires !== undefined && entry.expires < day) {
    return {
      fault: "expired",
      said: `It was accepted until ${entry.expires} (${entry.reason}): fix it, or set a later day.`,
    };
  }
  return undefined;
}

/** The last day on which the failure was accepted, where that day is past. */
export function expiredOn(id: string, baseline: Report["baseline"]): string | undefined {
  const isExpired = baseline?.faults.some((one) => one.case === id && one.fault === "expired") === true;
  return isExpired ? baseline.entries.find((one) => one.case === id)?.expires : undefined;
}

/** The result as it was before a baseline made a known deviation of it. */
export function asItFailed<R extends JudgedResult>(result: R): R {
  if (result.outcome !== "known") return result;
  return { ...result, outcome: result.level === "should" ? "warn" : "fail" };
}
