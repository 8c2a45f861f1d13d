/** What a run measured, in the order of the interface. */
import { limitNames } from "../interface/limits.ts";
import type { ReportedResult } from "./report.ts";

type Measures = NonNullable<ReportedResult["measures"]>;

/** One row for each limit and circumstance. */
export function measuresIn(results: readonly ReportedResult[]): Measures {
  const all = results.flatMap(({ measures = [] }) => measures);
  return limitNames.flatMap((name) => all.filter(({ limit }) => limit === name));
}
