export const usage = `usage: webhooks-conformance list [--json]
A line per case: id, level, the requests that it sends where the clock is driven, title.
  --json  the cases as JSON: these, and clauses, gaps, needs, seconds, reading
examples
  webhooks-conformance list
  webhooks-conformance list --json | jq -r '.[] | select(.needs == []) | .id'`;
