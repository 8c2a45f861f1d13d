/** Collects the results of a run, reports each as it comes, and makes one for every case that no time was left for. */
import { resultOf, storyIn, type CaseResult } from "../harness/result.ts";
import type { Budget } from "./budget.ts";
import type { RunContext } from "./context.ts";
import type { Watch } from "./watch.ts";

/** `context`: as it was asked for, so that its signal is the user's alone. */
export function collectResults({ cases, signal, onResult }: RunContext, watch: Watch, budget: Budget) {
  const collected: CaseResult[] = [];
  const tell = (result: CaseResult): void => {
    collected.push(result);
    onResult(result, Math.max(cases.length, collected.length));
  };
  const collect = (result: CaseResult): void => {
    const { seenIn, outcome } = result;
    // The outcome of an aborted case proves nothing about the target, except what a property or invariant had found by then.
    if (signal.aborted && storyIn(result) === undefined && seenIn === undefined) return;
    const isCut = budget.over !== undefined && (outcome === "error" || outcome === "unreached");
    tell(isCut ? { ...result, outcome: "unreached", late: true, reason: `not finished: ${budget.over}` } : result);
  };
  return {
    /** Takes the result of a case; that of an invariant is known when the last exchange is over. */
    add(result: CaseResult): void {
      if (!watch.hold(result)) collect(result);
    },
    /** All results, in the order of the cases; called once, when no case runs any more. */
    conclude(): CaseResult[] {
      for (const result of watch.results()) collect(result);
      if (budget.over !== undefined && !signal.aborted) {
        const judged = new Set(collected.map(({ id }) => id));
        const missing = cases.filter(({ id }) => !judged.has(id));
        const reason = `not tried: ${budget.over}`;
        for (const item of missing) tell(resultOf(item, "unreached", { late: true, reason }));
      }
      const results = new Map(collected.map((result) => [result.id, result]));
      // An invariant may be broken though nobody asked for it.
      const ids = new Set([...cases.map(({ id }) => id), ...results.keys()]);
      return [...ids].flatMap((id) => results.get(id) ?? []);
    },
  };
}
