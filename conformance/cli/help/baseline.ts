export const usage = `usage: webhooks-conformance baseline write REPORT --out FILE [--reason TEXT]
       webhooks-conformance baseline check [REPORT] --baseline FILE
REPORT is what run --report json=FILE wrote.
write makes an entry for each case that turned the run of a JSON report red. If --out
exists, it keeps the entries of cases that still fail the same way, and drops those
of cases that pass. New entries have the reason of --reason, or none: fill it in, as
a run refuses an entry without a reason.
check reads a baseline as a run does, and prints which entries have expired and, with
a report, which are stale or changed.
exit codes: 0 every entry holds, 1 an entry is stale, changed or expired, 2 usage
examples
  webhooks-conformance baseline write report.json --out baseline.json
  webhooks-conformance baseline check report.json --baseline baseline.json`;
