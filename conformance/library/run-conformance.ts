/** The library's run: from what its user gives to the report. */
import { readBaseline } from "../baseline/read.ts";
import { cases as suite } from "../cases/index.ts";
import { chooseCases, refuseForeignHost } from "../cli/run.ts";
import { judgeTarget } from "../judgement.ts";
import { readProfile } from "../profiles/profile.ts";
import type { Report } from "../reports/report.ts";
import { UsageError } from "../usage-error.ts";
import { failOnLevels } from "../verdict.ts";
import type { ConformanceOptions } from "./options.ts";
import { targetOf, type TargetInput } from "./targets.ts";

/** See `runConformance`. */
export async function run(input: TargetInput, options: ConformanceOptions): Promise<Report> {
  const { profile: named, failOn = "gap", quick = false, allowHosts = [], onResult, signal } = options;
  signal?.throwIfAborted();
  if (!failOnLevels.includes(failOn)) {
    throw new UsageError(`failOn is "${failOn as string}", expected one of: ${failOnLevels.join(", ")}`);
  }
  const target = await targetOf(input);
  refuseForeignHost(target, allowHosts);
  const profile = await readProfile(named ?? target.profile, named === undefined ? target.folder : ".");
  const cases = chooseCases(options.cases);
  const known = { caseIds: suite.map(({ id }) => id), profile: profile.name };
  const baseline = options.baseline === undefined ? undefined : await readBaseline(options.baseline, known);
  let done = 0;
  const report = await judgeTarget({
    target,
    profile,
    cases,
    selection: { ...(options.cases && { cases: [...options.cases] }), quick },
    failOn,
    baseline: baseline?.entries,
    ...(typeof input === "string" && { again: `webhooks-conformance run --target ${input}` }),
    onResult: ({ id, title, level, outcome, ms }, total) =>
      onResult?.({ id, title, level, outcome, ms, done: ++done, total }),
    ...(signal && { signal }),
  });
  signal?.throwIfAborted();
  return report;
}
