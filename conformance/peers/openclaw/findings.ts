/** The findings of the runs against the peer, small enough to be checked in. */
import { z } from "zod";
import type { Report } from "../../report/report.ts";
import { suiteName } from "../../report/suite-identity.ts";

const findingSchema = z.strictObject({
  outcome: z.enum(["fail", "warn", "known", "unreached", "error", "not-applicable"]),
  level: z.enum(["must", "should", "gap"]),
  clauses: z.array(z.string()),
  expected: z.string(),
  actual: z.string(),
});

const runSchema = z.strictObject({
  target: z.string(),
  profile: z.string(),
  clock: z.enum(["real", "driven", "both"]),
  suite: z.string(),
  cases: z.int(),
  /** Only a part of the suite ran. */
  partial: z.boolean(),
  seconds: z.number(),
  counts: z.record(z.string(), z.int()),
  judgement: z.string(),
  /** Written by hand for a run under bad conditions; the next run drops it. */
  remark: z.string().optional(),
  /** Ids of the cases that passed. */
  passed: z.array(z.string()),
  /** Every case that did not pass, except those that need a capability that the target does not have or a gap that the profile leaves open. */
  findings: z.record(z.string(), findingSchema),
});

export const findingsSchema = z.strictObject({
  runs: z.record(z.string(), runSchema).describe("By the name of the run."),
  absent: z.record(z.string(), z.string()).describe("Runs that could not be made, and why."),
});

export type Run = z.infer<typeof runSchema>;
export type Findings = z.infer<typeof findingsSchema>;

/** Reasons for not-applicable that come from the target file or the profile, not from the target's behaviour. */
const foreseen = /^(needs |the profile .* leaves .* open)/;

export function runOf(report: Report): Run {
  const findings = report.results.flatMap(({ id, outcome, level, clauses, expected, actual, reason = "" }) => {
    if (outcome === "pass" || (outcome === "not-applicable" && foreseen.test(reason))) return [];
    return [[id, { outcome, level, clauses, expected: expected ?? reason, actual: actual ?? "" }]];
  });
  const counts = Object.fromEntries(Object.entries(report.verdict.counts).filter(([, count]) => count > 0));
  return {
    target: report.target.name,
    profile: report.profile,
    clock: report.clock,
    suite: suiteName(report.suite),
    cases: report.results.length,
    partial: report.verdict.partial,
    seconds: Math.round(report.ms / 100) / 10,
    counts,
    judgement: report.verdict.judgement,
    passed: report.results.filter(({ outcome }) => outcome === "pass").map(({ id }) => id),
    findings: Object.fromEntries(findings) as Run["findings"],
  };
}
