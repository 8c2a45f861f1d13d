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

/** On which clocks a verdict rests that rests on more than real time. */
export function clocksIn({ clock, results, verdict }: Report): string | undefined {
  if (clock === "driven") return verdict.partial ? undefined : SIMULATED_TIME;
  if (clock === "real") return undefined;
  const on = (one: "real" | "driven") => results.filter((result) => result.clock === one).length;
  const cases = on("driven") === 1 ? "case" : "cases";
  return `Judged on both clocks: ${on("driven")} ${cases} with the driven one, to the millisecond, ${on("real")} in real time.`;
}

const SIMULATED_TIME =
  "Time was simulated: the control port moved the clock. For a release let the start command take {clock}, so that " +
  "real time is judged as well.";
