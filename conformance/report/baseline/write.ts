/** Makes a baseline from a report, and keeps the reasons that people wrote into an existing one. */
import type { Report } from "../report.ts";
import { isAbout, isUnseen } from "./apply.ts";
import { BASELINE_FORMAT, type Baseline, type BaselineEntry } from "./baseline.ts";

export interface Written {
  readonly baseline: Baseline;
  readonly added: readonly BaselineEntry[];
  readonly kept: readonly BaselineEntry[];
  /** The old entries of what is no longer found. */
  readonly dropped: readonly BaselineEntry[];
  /** Cases of replay files that turned the run red: a baseline holds cases of the suite only. */
  readonly leftOut: readonly string[];
}

/**
 * Adds what turned the report's run red, and keeps entries of what the run did not judge. `reason`: for new entries;
 * without it their reasons are blank, which a run refuses.
 */
export function baselineFrom(report: Report, existing: Baseline | undefined, reason = ""): Written {
  // Where the report was held against a baseline, its entries are taken over with their reasons.
  const known = [...(existing?.entries ?? []), ...(report.baseline?.entries ?? [])];
  const red = report.results.filter(({ id, outcome }) => outcome === "known" || report.verdict.failed.includes(id));
  const found = red.flatMap(({ id, file, findings = [] }) =>
    file === undefined ? findings.map((one) => ({ id, one })) : [],
  );
  const isFound = (entry: BaselineEntry) => found.some(({ id, one }) => id === entry.case && isAbout(entry, one));
  const isJudged = (entry: BaselineEntry): boolean => {
    const result = report.results.find(({ id }) => id === entry.case);
    if (result === undefined || result.cut === true || isUnseen(result, report.verdict.partial)) return false;
    return ["pass", "fail", "warn", "known"].includes(result.outcome);
  };
  const kept = (existing?.entries ?? []).filter((entry) => isFound(entry) || !isJudged(entry));
  const added: BaselineEntry[] = [];
  for (const { id, one } of found) {
    if ([...kept, ...added].some((entry) => entry.case === id && isAbout(entry, one))) continue;
    const told = known.find((entry) => entry.case === id && isAbout(entry, one));
    const combination = one.combination?.map(({ factor, values }) => ({ factor, values }));
    added.push(told ?? { case: id, signature: one.signature, ...(combination?.length && { combination }), reason });
  }
  const { suite, target, profile } = report;
  const schema = existing?.$schema === undefined ? {} : { $schema: existing.$schema };
  const head = { format: BASELINE_FORMAT, suite: suite.version, target: target.name, profile } as const;
  return {
    baseline: { ...schema, ...head, entries: [...kept, ...added] },
    added,
    kept,
    dropped: (existing?.entries ?? []).filter((entry) => !kept.includes(entry)),
    leftOut: red.flatMap(({ id, file }) => (file === undefined ? [] : [id])),
  };
}
