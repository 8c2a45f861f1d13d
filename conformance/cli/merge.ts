import { readBaseline } from "../report/baseline/read.ts";
import { cases } from "../catalogue.ts";
import { mergeReports } from "../report/merge.ts";
import { readReport } from "../report/read.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { readOptions, type Command } from "./command.ts";
import { deliver, deliveryOf, deliveryOptions, deliveryUsage } from "./deliver.ts";

export const options = { baseline: { type: "string" }, ...deliveryOptions } as const;

export const command: Command = {
  summary: "judge the shards or seeds of one run as the whole run",
  usage: `usage: webhooks-conformance merge REPORT... [options]
Takes the JSON reports of run --shard 1/n to n/n, and gives the report, verdict
and exit code of one whole run. Or takes reports of runs that differ only in their
seeds: a fault that one of them found is in the report, and visits are added up.
  --baseline FILE      known deviations, in place of those that the runs used
${deliveryUsage}
exit codes: those of run; 2 if a shard is missing, a shard or seed is there twice,
or a report is of another suite, target, profile or selection`,
  async run(args) {
    const { values, positionals } = readOptions("merge", args, options, true);
    if (positionals.length === 0)
      throw new UsageError(
        "merge needs the JSON reports of all shards; webhooks-conformance run --shard I/N --format json --out FILE writes one",
      );
    const shards = await Promise.all(positionals.map(async (file) => ({ file, report: await readReport(file) })));
    const profile = shards[0]?.report.profile ?? "";
    const known = { caseIds: cases.map(({ id }) => id), profile };
    const baseline = values.baseline === undefined ? undefined : await readBaseline(values.baseline, known);
    const by = shards.some(({ report }) => report.selection.shard !== undefined) ? "shard" : "seed";
    const report = mergeReports(by, shards, cases, baseline?.entries);
    await deliver(report, await deliveryOf(values));
    return report.verdict.exitCode;
  },
};
