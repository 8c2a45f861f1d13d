export const usage = `usage: webhooks-conformance list [--json]
A line per case: id, level, title.
  --json  the cases as JSON: id, level, title, clauses, gaps, needs, seconds, reading
examples
  webhooks-conformance list
  webhooks-conformance list --json | jq -r '.[] | select(.needs == []) | .id'`;
