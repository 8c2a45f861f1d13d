export const usage = `usage: webhooks-conformance list [--json | --clauses]
A line per case: id, level, the most requests that it sends with one key (path and
client address), title.
  --json     the cases as JSON: these, and clauses, gaps, needs, seconds, reading
  --clauses  each clause of the interface with its level, its section and its cases
examples
  webhooks-conformance list
  webhooks-conformance list --clauses
  webhooks-conformance list --json | jq -r '.[] | select(.needs == []) | .id'`;
