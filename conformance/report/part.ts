import type { Report } from "./report.ts";

/** Which part of the suite was asked for, or was judged before an interrupt, in words. */
export function partOf({ results: all, suite, selection, verdict, stopped }: Report): string {
  const results = all.filter(({ file }) => file === undefined);
  if (results.length === 0 && all.length > 0) return "replay files alone";
  if (verdict.judgement === "interrupted") return `interrupted, ${results.length} of ${suite.cases} cases were judged`;
  if (stopped !== undefined) return `${stopped}: ${results.length} of ${suite.cases} cases were judged`;
  if (results.length === suite.cases) return "without long waits and floods (--quick)";
  const { shard } = selection;
  const which = shard === undefined ? "asked for" : `in shard ${shard.index} of ${shard.of}`;
  return `${results.length} of ${suite.cases} cases ${which}`;
}

/** What a verdict does not say where the target's clock was driven. */
export const SIMULATED_TIME =
  'Time was simulated: the control port moved the clock. Before a release, also run with a control port without "clock".';
