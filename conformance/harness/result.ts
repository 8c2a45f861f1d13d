/** The result of a case: what verdict and reports work on. */
import type { ClauseId } from "../interface/clauses/index.ts";
import { levelOf, type Case } from "./case.ts";
import type { Level } from "../interface/level.ts";
import type { Exchange } from "../http/exchange.ts";
import type { StopName } from "../interface/way.ts";
import { inWords, type Finding } from "./finding.ts";
import type { Coverage, EarlierStep, Measure, Outcome } from "./outcome.ts";

export type { Outcome };

/** What a verdict looks at; results of a run and those in a report both have it. */
export interface JudgedResult {
  readonly id: string;
  readonly clauses: readonly string[];
  readonly level: Level;
  readonly outcome: Outcome;
  /** Left out because the user asked for a part of the suite only (`--quick`). */
  readonly leftOut?: true | undefined;
  /** The replay file that the case was read from; absent for the suite's own. */
  readonly file?: string | undefined;
}

export interface CaseResult extends JudgedResult {
  readonly title: string;
  readonly clauses: readonly ClauseId[];
  /** The clock of the target that the case ran on; absent where it did not run. */
  readonly clock?: "real" | "driven";
  /** The stop of a request's way that kept the case from being judged, where more is known than its clause. */
  readonly at?: StopName | undefined;
  /** Not judged as the time for it ran out, of the machine or of the case. */
  readonly late?: true | undefined;
  /** Why it is no pass, in a sentence; of a failure what there is to say beside its findings. */
  readonly reason?: string | undefined;
  readonly findings?: readonly Finding[];
  /** The case ended at its last finding, so the rest of it was not judged. */
  readonly cut?: true | undefined;
  /** The cases whose requests an invariant was broken by. */
  readonly seenIn?: readonly string[];
  /** The evidence, of a failure that of its first finding, with secrets in it: reports redact them. */
  readonly exchanges: readonly Exchange[];
  /** What the case did before its exchanges, as far as it may matter to the failure; with secrets in it. */
  readonly before?: readonly EarlierStep[];
  /** Of a failure: what the target printed while it answered this case; with secrets in it. */
  readonly printed?: readonly string[];
  /** Of one of the first failures: what the case does when it is judged alone, on a new start of the target. */
  readonly judgedAlone?: "fails" | "passes" | undefined;
  readonly measures?: readonly Measure[] | undefined;
  /** Of a row that failed by itself: what `--row` takes to play it again. */
  readonly row?: readonly string[] | undefined;
  readonly coverage?: Coverage | undefined;
  readonly ms: number;
  readonly requests: number;
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
