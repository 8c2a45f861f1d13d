/** What works next to a failure: it shows how far the fault reaches. */
import type { ReportedResult } from "./report.ts";

/**
 * Passing cases that are the failing one but for a word of their title ("run_task takes the runtime acp"), as cases from
 * one table are; else those of the same family of ids. None for a property or an invariant, which has no such family.
 */
export function passingBeside(failing: ReportedResult, results: readonly ReportedResult[]): readonly ReportedResult[] {
  if (failing.story !== undefined || failing.seenIn !== undefined) return [];
  const parts = failing.id.split("-");
  const inFamily = (length: number) => {
    const family = `${parts.slice(0, length).join("-")}-`;
    return results.filter(({ id, outcome }) => outcome === "pass" && id.startsWith(family));
  };
  const alike = inFamily(1).filter(({ title }) => differsInAWord(title, failing.title));
  const families = [alike, ...parts.slice(2).map((_, index) => inFamily(parts.length - 1 - index))];
  return families.find((family) => family.length > 0) ?? [];
}

function differsInAWord(a: string, b: string): boolean {
  const [words, others] = [a.split(" "), b.split(" ")];
  return words.length === others.length && words.filter((word, index) => word !== others[index]).length === 1;
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
