export const usage = `usage: webhooks-conformance explain CASE [--json]
Prints what the case judges, the clauses with their sections, and how they were read.
  --json  the same as JSON
examples
  webhooks-conformance explain RATE-121-REFUSED
  webhooks-conformance explain RATE-121-REFUSED --json`;
