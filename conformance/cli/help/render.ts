import { deliveryUsage } from "./shared.ts";

export const usage = `usage: webhooks-conformance render REPORT [options]
  REPORT               what run --report json=FILE or merge --report json=FILE wrote
  --earlier FILE       with --report html=FILE: a report from before, for the history
                       of each case; may be repeated
${deliveryUsage}
Without --report it prints the report as a run does.
The exit code is 0, whatever the verdict of the report.
examples
  webhooks-conformance render report.json --verbose
  webhooks-conformance render report.json --report markdown=-
  webhooks-conformance render new.json --report html=page.html --earlier old.json`;
