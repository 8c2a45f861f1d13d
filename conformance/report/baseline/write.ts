/** Makes a baseline from a report, and keeps the reasons that people wrote into an existing one. */
import type { Report, ReportedFinding } from "../report.ts";
import { isAbout, isUnseen } from "./apply.ts";
import { BASELINE_FORMAT, type Baseline, type BaselineEntry } from "./baseline.ts";

export type Written = ReturnType<typeof baselineFrom>;

/**
 * Adds what turned the report's run red, and keeps entries of what the run did not judge. `reason`: for new entries;
 * without it their reasons are blank, which a run refuses.
 */
export function baselineFrom(report: Report, existing: Baseline | undefined, reason = "") {
  const { suite, target, profile, results, verdict } = report;
  const before = existing?.entries ?? [];
  // Where the report was held against a baseline, its entries are taken over with their reasons.
  const told = [...before, ...(report.baseline?.entries ?? [])];
  const red = results.filter(({ id, outcome }) => outcome === "known" || verdict.failed.includes(id));
  const ofSuite = red.filter(({ file }) => file === undefined);
  const found = ofSuite.flatMap(({ id, findings = [] }) => findings.map((one) => ({ id, one })));
  const kept = before.filter((entry) => found.some((one) => isOf(entry, one)) || !isJudged(entry, report));
  const added: BaselineEntry[] = [];
  for (const one of found)
    if (![...kept, ...added].some((entry) => isOf(entry, one)))
      added.push(told.find((entry) => isOf(entry, one)) ?? entryFor(one, reason));
  const schema = existing?.$schema === undefined ? {} : { $schema: existing.$schema };
  const head = { format: BASELINE_FORMAT, suite: suite.version, target: target.name, profile } as const;
  const baseline: Baseline = { ...schema, ...head, entries: [...kept, ...added] };
  return {
    baseline,
    added,
    kept,
    dropped: before.filter((entry) => !kept.includes(entry)),
    /** Cases of replay files that turned the run red: a baseline holds cases of the suite only. */
    leftOut: red.filter((result) => !ofSuite.includes(result)).map(({ id }) => id),
  };
}

/** Whether the run would have found again what the entry is about. */
function isJudged({ case: id }: BaselineEntry, { results, verdict }: Report): boolean {
  const result = results.find((one) => one.id === id);
  return result !== undefined && result.cut !== true && !isUnseen(result, verdict.partial);
}

interface Found {
  readonly id: string;
  readonly one: ReportedFinding;
}

const isOf = (entry: BaselineEntry, { id, one }: Found): boolean => entry.case === id && isAbout(entry, one);

function entryFor({ id, one: { signature, combination = [] } }: Found, reason: string): BaselineEntry {
  const parts = combination.map(({ factor, values }) => ({ factor, values }));
  return { case: id, signature, ...(parts.length > 0 && { combination: parts }), reason };
}
