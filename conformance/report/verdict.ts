/** The one place that decides: what a run's results mean, for every front end. */
import { ledger, clauseIds, type ClauseId } from "../interface/clauses/index.ts";
import type { Level } from "../interface/level.ts";
import type { JudgedResult, Outcome } from "../harness/result.ts";

/** Which failures turn a run red: what the interface states, what the profile binds too, or what is advised too. */
export const failOnLevels = ["must", "gap", "should"] as const;
export type FailOn = (typeof failOnLevels)[number];

export type Judgement = "conformant" | "not conformant" | "incomplete";

export interface Verdict {
  readonly judgement: Judgement;
  /** Only a part of the suite was run: no release verdict. */
  readonly partial: boolean;
  readonly exitCode: 0 | 1 | 4;
  readonly counts: Readonly<Record<Outcome, number>>;
  /** Results that turn the run red. */
  readonly failed: readonly JudgedResult[];
  /** Results that keep a whole run from being complete. */
  readonly open: readonly JudgedResult[];
  /** `must` clauses without a pass and without a reason in the target file. */
  readonly uncovered: readonly ClauseId[];
}

export interface VerdictInput {
  /** Number of cases in the whole suite: fewer results are a part. */
  readonly suiteSize: number;
  readonly results: readonly JudgedResult[];
  /** Clause id and reason, from the target file. */
  readonly notCovered: Readonly<Record<string, string>>;
  readonly failOn: FailOn;
  /** How many entries of the baseline are stale, expired or changed: any turns the run red. */
  readonly baselineFaults?: number;
}

export function verdictOf(input: VerdictInput): Verdict {
  const { suiteSize, results, notCovered, failOn, baselineFaults = 0 } = input;
  const counts = countsOf(results);
  const required = failOnLevels.slice(0, failOnLevels.indexOf(failOn) + 1) as readonly Level[];
  const failed = results.filter((result) => isFailure(result) && required.includes(result.level));
  const open = results.filter(({ outcome }) => outcome === "unreached" || outcome === "error");
  // A replay file's case is none of the suite's, and shows a few requests of what its clause says.
  const ofSuite = results.filter(({ file }) => file === undefined);
  const partial = ofSuite.length < suiteSize || results.some((result) => result.leftOut === true);
  const uncovered = partial ? [] : uncoveredClauses(ofSuite, notCovered);
  const complete = open.length === 0 && uncovered.length === 0 && !judgedNothing(counts);
  const red = failed.length > 0 || baselineFaults > 0;
  const judgement = red ? "not conformant" : complete ? "conformant" : "incomplete";
  const exitCode = ({ "not conformant": 1, incomplete: 4, conformant: 0 } as const)[judgement];
  return { judgement, partial, exitCode, counts, failed, open, uncovered };
}

/** Said by every report of a run in which no case was put to the target: that it has no failure says nothing. */
export const NOTHING_JUDGED = "nothing was judged: no case that was asked for applies here";

export function judgedNothing(counts: Verdict["counts"]): boolean {
  return Object.entries(counts).every(([outcome, count]) => count === 0 || outcome === "not-applicable");
}

function isFailure({ outcome }: JudgedResult): boolean {
  return outcome === "fail" || outcome === "warn";
}

function countsOf(results: readonly JudgedResult[]): Record<Outcome, number> {
  const counts = { pass: 0, fail: 0, warn: 0, known: 0, "not-applicable": 0, unreached: 0, error: 0 };
  for (const { outcome } of results) counts[outcome] += 1;
  return counts;
}

/** A `must` clause is covered by a `must` case that judged it, one way or the other. */
function uncoveredClauses(results: readonly JudgedResult[], notCovered: Readonly<Record<string, string>>): ClauseId[] {
  const judged = new Set<string>(
    results
      .filter(({ level, outcome }) => level === "must" && ["pass", "fail", "known"].includes(outcome))
      .flatMap((result) => result.clauses),
  );
  return clauseIds.filter((id) => {
    const { level, excluded } = ledger[id];
    return level === "must" && excluded === undefined && notCovered[id] === undefined && !judged.has(id);
  });
}
