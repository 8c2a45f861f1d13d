/** What works next to a failure: it shows how far the fault reaches. */
import type { ReportedResult } from "./report.ts";

/**
 * Passing cases that are the failing one but for a word of their title ("run_task takes the runtime acp"), as cases from
 * one table are; else those of the same family of ids. None for a property or an invariant, which has no such family.
 */
export function passingBeside(failing: ReportedResult, results: readonly ReportedResult[]): readonly ReportedResult[] {
  if (failing.story !== undefined || failing.seenIn !== undefined) return [];
  const parts = failing.id.split("-");
  const passing = families(results).get(parts[0] ?? "") ?? [];
  const alike = passing.filter(({ title }) => differsInAWord(title, failing.title));
  if (alike.length > 0) return alike;
  for (let kept = parts.length - 1; kept >= 2; kept -= 1) {
    const family = `${parts.slice(0, kept).join("-")}-`;
    const found = passing.filter(({ id }) => id.startsWith(family));
    if (found.length > 0) return found;
  }
  return [];
}

/** A page asks for each of thousands of failures. */
const known = new WeakMap<readonly ReportedResult[], ReadonlyMap<string, readonly ReportedResult[]>>();

/** What passed, by the first part of its id. */
function families(results: readonly ReportedResult[]): ReadonlyMap<string, readonly ReportedResult[]> {
  const found = known.get(results);
  if (found !== undefined) return found;
  const made = new Map<string, ReportedResult[]>();
  for (const result of results) {
    if (result.outcome !== "pass") continue;
    const [start = ""] = result.id.split("-", 1);
    const family = made.get(start);
    if (family === undefined) made.set(start, [result]);
    else family.push(result);
  }
  known.set(results, made);
  return made;
}

function differsInAWord(a: string, b: string): boolean {
  const [left, right] = [a.split(" "), b.split(" ")];
  return left.length === right.length && left.filter((word, index) => word !== right[index]).length === 1;
}

/** The action that the last shown request asks for. */
export function sentAction({ exchanges }: Pick<ReportedResult, "exchanges">): string | undefined {
  return exchanges.at(-1)?.request.action;
}

/** Requests of the case itself that were accepted with the same action and other fields: `run_task runtime="acp"`. */
export function acceptedBeside(result: ReportedResult): string[] {
  const { before = [], exchanges } = result;
  const action = sentAction(result);
  const { status = 0 } = exchanges.at(-1)?.answer ?? {};
  if (action === undefined || status < 400) return [];
  const accepted = before.filter(({ action: sent, answer = "" }) => sent === action && /^2\d\d ok:true/.test(answer));
  return [...new Set(accepted.flatMap(({ what }) => (what.includes("=") ? [what] : [])))];
}
