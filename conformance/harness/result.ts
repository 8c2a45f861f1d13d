/** The result of a case: what verdict and reports work on. */
import type { ClauseId } from "../interface/clauses/index.ts";
import { levelOf, type Case } from "./case.ts";
import type { Exchange } from "../http/exchange.ts";
import type { StopName } from "../interface/way.ts";
import { inWords, type Finding } from "./finding.ts";
import type { Outcome, ResultFacts } from "./outcome.ts";

export type { Outcome };

/** What a verdict looks at; results of a run and those in a report both have it. */
export type JudgedResult = Pick<ResultFacts, "id" | "clauses" | "level" | "outcome" | "leftOut" | "file">;

/** `before`, `printed` and `exchanges` have secrets in them: reports redact those. */
export interface CaseResult extends Omit<ResultFacts, "clauses" | "at"> {
  readonly clauses: readonly ClauseId[];
  readonly at?: StopName | undefined;
  readonly findings?: readonly Finding[];
  /** The evidence, of a failure that of its first finding. */
  readonly exchanges: readonly Exchange[];
}

export const whyOf = ({ reason, findings: [first] = [] }: Pick<CaseResult, "reason" | "findings">): string =>
  reason ?? (first === undefined ? "" : inWords(first));

export const storyIn = ({ findings = [] }: Partial<CaseResult> = {}) =>
  findings.find(({ story }) => story !== undefined)?.story;

/** A result with the facts of its case; `more` adds or replaces fields. */
export function resultOf(item: Case, outcome: Outcome, more: Partial<CaseResult> = {}): CaseResult {
  const { id, title, clauses, file } = item;
  return { id, title, clauses, level: levelOf(item), file, outcome, exchanges: [], ms: 0, requests: 0, ...more };
}
