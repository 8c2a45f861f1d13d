import type { Report } from "./report.ts";

/** Which part of the suite was asked for, in words. */
export function partOf({ results, suite, selection }: Report): string {
  if (results.length === suite.cases) return "without long waits and floods (--quick)";
  const { shard } = selection;
  const which = shard === undefined ? "asked for" : `in shard ${shard.index} of ${shard.of}`;
  return `${results.length} of ${suite.cases} cases ${which}`;
}
