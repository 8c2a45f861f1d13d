import { deliveryUsage } from "./shared.ts";

export const usage = `usage: webhooks-conformance merge REPORT... [options]
Takes the JSON reports of run --shard 1/n to n/n, and gives the report, verdict
and exit code of one whole run. Or takes reports of runs that differ only in their
seeds: a fault that one of them found is in the report, and visits are added up.
  --baseline FILE      known deviations, in place of those that the runs used
${deliveryUsage}
exit codes: those of run; 2 if a shard is missing, a shard or seed is there twice,
or a report is of another suite, target, profile or selection
examples
  webhooks-conformance merge report-1.json report-2.json --report junit=junit.xml`;
