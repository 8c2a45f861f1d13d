/** Makes a baseline from a report, and keeps what people wrote into the one that there is. */
import type { Report } from "../report.ts";
import { BASELINE_FORMAT, type Baseline, type BaselineEntry } from "./baseline.ts";

export interface Written {
  readonly baseline: Baseline;
  readonly added: readonly string[];
  readonly kept: readonly string[];
  /** They fail in another way now: the old entry, whose reason told of another failure. */
  readonly changed: readonly BaselineEntry[];
  /** They pass now. */
  readonly dropped: readonly string[];
  /** Replay files' cases that turned the run red: a baseline knows the suite's alone. */
  readonly leftOut: readonly string[];
}

/**
 * Takes in what turned the report's run red. Entries of cases that the run says nothing of stay. `reason`: for new and
 * changed entries; they stay blank without it, and a run refuses blank ones.
 */
export function baselineFrom(report: Report, existing: Baseline | undefined, reason = ""): Written {
  const entries: BaselineEntry[] = [];
  const added: string[] = [];
  const kept: string[] = [];
  const changed: BaselineEntry[] = [];
  const dropped: string[] = [];
  for (const entry of existing?.entries ?? []) {
    const result = report.results.find(({ id }) => id === entry.case);
    if (result?.outcome === "pass") dropped.push(entry.case);
    else if (result?.signature === undefined || result.signature === entry.signature) {
      kept.push(entry.case);
      entries.push(entry);
    } else {
      changed.push(entry);
      entries.push({ case: entry.case, signature: result.signature, reason });
    }
  }
  // A report that was held against a baseline: what that knew is taken over with its reason.
  const known = new Map(report.baseline?.entries.map((entry) => [entry.case, entry]));
  const leftOut: string[] = [];
  for (const { id, outcome, signature, file } of report.results) {
    const isRed = outcome === "known" || report.verdict.failed.includes(id);
    if (signature === undefined || !isRed || entries.some((entry) => entry.case === id)) continue;
    if (file !== undefined) {
      leftOut.push(id);
      continue;
    }
    added.push(id);
    entries.push((outcome === "known" && known.get(id)) || { case: id, signature, reason });
  }
  const { suite, target, profile } = report;
  const schema = existing?.$schema === undefined ? {} : { $schema: existing.$schema };
  const head = { format: BASELINE_FORMAT, suite: suite.version, target: target.name, profile } as const;
  return { baseline: { ...schema, ...head, entries }, added, kept, changed, dropped, leftOut };
}
