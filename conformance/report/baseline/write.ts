/** Makes a baseline from a report, and keeps the reasons that people wrote into an existing one. */
import type { Report } from "../report.ts";
import { isUnseen } from "./apply.ts";
import { isKnown } from "./signature.ts";
import { BASELINE_FORMAT, type Baseline, type BaselineEntry } from "./baseline.ts";

export interface Written {
  readonly baseline: Baseline;
  readonly added: readonly string[];
  readonly kept: readonly string[];
  /** The old entries of cases that fail in another way now: their reasons were given for another failure. */
  readonly changed: readonly BaselineEntry[];
  /** Cases that pass now. */
  readonly dropped: readonly string[];
  /** Cases of replay files that turned the run red: a baseline holds cases of the suite only. */
  readonly leftOut: readonly string[];
}

/**
 * Adds what turned the report's run red, and keeps entries of cases that the run did not judge. `reason`: for new and
 * changed entries; without it their reasons are blank, which a run refuses.
 */
export function baselineFrom(report: Report, existing: Baseline | undefined, reason = ""): Written {
  const entries: BaselineEntry[] = [];
  const added: string[] = [];
  const kept: string[] = [];
  const changed: BaselineEntry[] = [];
  const dropped: string[] = [];
  for (const entry of existing?.entries ?? []) {
    const result = report.results.find(({ id }) => id === entry.case);
    const isPassed = result?.outcome === "pass" && !isUnseen(result, report.verdict.partial);
    if (isPassed) dropped.push(entry.case);
    else if (result?.signature === undefined || isKnown(result.signature, entry.signature)) {
      kept.push(entry.case);
      entries.push(entry);
    } else {
      changed.push(entry);
      entries.push({ case: entry.case, signature: result.signature, reason });
    }
  }
  // Where the report was held against a baseline, its entries are taken over with their reasons.
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
