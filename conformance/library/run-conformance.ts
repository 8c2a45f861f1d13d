/** The library's run: from what its user gives to the report. */
import { readBaseline } from "../report/baseline/read.ts";
import { cases as suite } from "../catalogue.ts";
import { judgeTarget } from "./judge-target.ts";
import { readProfile } from "../interface/profile.ts";
import { runCommand } from "../report/again.ts";
import type { Report } from "../report/report.ts";
import type { Selection } from "../run/selected.ts";
import { selectCases } from "../run/selection.ts";
import { refuseForeignHost, refusingForeignLaunch } from "../targets/foreign-host.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { failOnLevels } from "../report/verdict.ts";
import type { ConformanceOptions } from "./options.ts";
import { targetOf, type TargetInput } from "./targets.ts";

/** See `runConformance`. */
export async function run(input: TargetInput, options: ConformanceOptions): Promise<Report> {
  const { profile: named, failOn = "gap", allowHosts = [], onResult, signal } = options;
  signal?.throwIfAborted();
  if (!failOnLevels.includes(failOn)) {
    throw new UsageError(`failOn is "${failOn as string}", expected one of: ${failOnLevels.join(", ")}`);
  }
  const target = refusingForeignLaunch(await targetOf(input), allowHosts);
  refuseForeignHost(target, allowHosts);
  const profile = await readProfile(named ?? target.profile, named === undefined ? target.folder : ".");
  const selection = selectionOf(options);
  const cases = selectCases(suite, selection);
  const known = { caseIds: suite.map(({ id }) => id), profile: profile.name };
  const baseline = options.baseline === undefined ? undefined : await readBaseline(options.baseline, known);
  let done = 0;
  const report = await judgeTarget({
    target,
    profile,
    cases,
    selection,
    failOn,
    baseline: baseline?.entries,
    ...(typeof input === "string" && { again: runCommand({ target: input, profile: named, allowHosts }) }),
    onResult: ({ id, title, level, outcome, ms }, total) =>
      onResult?.({ id, title, level, outcome, ms, done: ++done, total }),
    ...(signal && { signal }),
  });
  signal?.throwIfAborted();
  return report;
}

/** The part of the suite that the options ask for. */
export function selectionOf({ cases, quick = false }: ConformanceOptions): Selection {
  return { ...(cases && { cases: [...cases] }), quick };
}
