/** Compares a run's findings with the baseline: which are known, and where the baseline is no longer true. */
import { isInvariant } from "../../harness/case.ts";
import type { JudgedResult } from "../../harness/result.ts";
import type { Report, ReportedFinding } from "../report.ts";
import { standingOf } from "../verdict.ts";
import type { BaselineEntry } from "./baseline.ts";

type BaselineUse = NonNullable<Report["baseline"]>;
type BaselineFault = BaselineUse["faults"][number];

type FindingInReport = Pick<BaselineEntry, "signature" | "combination"> & Pick<ReportedFinding, "known">;

export interface FoundResult extends JudgedResult {
  readonly findings?: readonly FindingInReport[] | undefined;
  readonly cut?: true | undefined;
}

/** Not judged; in a part of the suite a passed invariant proves nothing: the case that breaks it may not have run. */
export const isUnseen = (result: JudgedResult, partial: boolean): boolean =>
  standingOf(result) === "is open" || (partial && isInvariant(result.id) && result.outcome === "pass");

/**
 * Whether the entry is about the finding. A finding with fewer values than the entry names is known, one with a value more
 * is not: that value is a new deviation.
 */
export function isAbout(entry: BaselineEntry, { signature, combination = [] }: FindingInReport): boolean {
  return (
    entry.signature === signature &&
    (entry.combination ?? []).every(({ factor, values }) =>
      combination.some((one) => one.factor === factor && one.values.every((value) => values.includes(value))),
    )
  );
}

/**
 * The results, those of which every finding is known marked so, of the others the findings that are; and where the baseline
 * is no longer true. `day`: when the run began, UTC, YYYY-MM-DD; `partial`: not the whole suite ran.
 */
export function applyBaseline<R extends FoundResult>(
  entries: readonly BaselineEntry[],
  results: readonly R[],
  day: string,
  partial = false,
) {
  const faults: BaselineFault[] = [];
  const untested: string[] = [];
  const valid: BaselineEntry[] = [];
  for (const entry of entries) {
    const result = results.find(({ id }) => id === entry.case);
    const state = stateOf(entry, result, day, partial);
    if (state === "known") valid.push(entry);
    else if (state === "untested") untested.push(entry.case);
    else faults.push({ case: entry.case, ...state });
  }
  const known = (result: R): R => {
    const own = valid.filter((entry) => entry.case === result.id);
    if (own.length === 0) return result;
    const findings = result.findings?.map((one) =>
      own.some((entry) => isAbout(entry, one)) ? { ...one, known: true } : one,
    );
    return { ...result, findings, ...(findings?.every((one) => one.known) && { outcome: "known" as const }) };
  };
  return { results: results.map(known), faults, untested: [...new Set(untested)] };
}

function stateOf(
  entry: BaselineEntry,
  result: FoundResult | undefined,
  day: string,
  partial: boolean,
): "known" | "untested" | Omit<BaselineFault, "case"> {
  if (result === undefined || isUnseen(result, partial)) return "untested";
  if (result.findings?.some((one) => isAbout(entry, one)) !== true) {
    // The case ended before it came to what the entry is about, or in part of the suite its cause did not occur.
    if (result.cut === true || (partial && isInvariant(result.id))) return "untested";
    return {
      fault: "stale",
      said: `It is no longer found: take its entry out of the baseline. ${entryInWords(entry)}`,
    };
  }
  if (entry.expires === undefined || entry.expires >= day) return "known";
  return {
    fault: "expired",
    said: `It was accepted until ${entry.expires} (${entry.reason}): fix it, or set a later day.`,
  };
}

/** `expected 401; got 200, with credential: none`. */
export const entryInWords = ({
  signature,
  combination = [],
}: Pick<BaselineEntry, "signature" | "combination">): string =>
  [signature, ...combination.map(({ factor, values }) => `with ${factor}: ${values.join(" or ")}`)].join(", ");

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

/** The last day on which the failure was accepted, where that day is past. */
export function expiredOn(id: string, baseline: Report["baseline"]): string | undefined {
  const isExpired = baseline?.faults.some((one) => one.case === id && one.fault === "expired") === true;
  const days = baseline?.entries.flatMap((one) => (one.case === id ? (one.expires ?? []) : []));
  return isExpired ? days?.toSorted()[0] : undefined;
}

/** Undoes `applyBaseline` for one result. */
export function asItFailed<R extends FoundResult>(result: R): R {
  if (result.findings === undefined) return result;
  const findings = result.findings.map((one) => ({ ...one, known: undefined }));
  const outcome = result.level === "should" ? "warn" : "fail";
  return { ...result, findings, ...(result.outcome === "known" && { outcome }) };
}
