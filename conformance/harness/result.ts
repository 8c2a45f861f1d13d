/** The result of a case: what verdict and reports work on. */
import type { ClauseId } from "../interface/clauses/index.ts";
import type { Level } from "../interface/level.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Combination, Coverage, EarlierStep, Measure, Outcome, StoryReport } from "./outcome.ts";

export type { Outcome, StoryReport };

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

/** One departure that a case found, with its evidence. */
export interface Finding {
  readonly expected: string;
  readonly actual: string;
  /** The clause that it breaks, where the case is about several and knows which. */
  readonly clause?: string | undefined;
  /** Of a row: the smallest combination that fails. */
  readonly combination?: readonly Combination[] | undefined;
  readonly exchanges: readonly Exchange[];
}

export interface CaseResult extends JudgedResult, Partial<Pick<Finding, "expected" | "actual" | "combination">> {
  readonly title: string;
  readonly clauses: readonly ClauseId[];
  /** The clock of the target that the case ran on; absent where it did not run. */
  readonly clock?: "real" | "driven";
  /** Not judged as the time for it ran out, of the machine or of the case. */
  readonly late?: true;
  /** Why it is no pass, in a sentence. */
  readonly reason?: string;
  /** Of a failure: all that the case found, if more is known than `expected` and `actual`, which are of the first. */
  readonly findings?: readonly Finding[];
  /** The case ended at its last finding: what it judges behind that is not known. */
  readonly cut?: true;
  /** The cases whose requests an invariant was broken by. */
  readonly seenIn?: readonly string[];
  /** The evidence, with secrets in it: reports redact them. */
  readonly exchanges: readonly Exchange[];
  /** What the case did before its exchanges, as far as it may matter to the failure; with secrets in it. */
  readonly before?: readonly EarlierStep[];
  /** The requests that show what a property case found. */
  readonly story?: StoryReport;
  /** What the case found the limits to be. */
  readonly measures?: readonly Measure[];
  /** Of a row that failed by itself: what `--row` takes to play it again. */
  readonly row?: readonly string[];
  /** Of a case made of rows. */
  readonly coverage?: Coverage;
  readonly ms: number;
  readonly requests: number;
}
