/** Decides what a run's results mean, for the command line and the library alike. */
import { z } from "zod";
import { ledger, clauseIds, type ClauseId } from "../interface/clauses/index.ts";
import type { Level } from "../interface/level.ts";
import { caseOutcomes } from "../harness/outcome.ts";
import type { JudgedResult, Outcome } from "../harness/result.ts";

/** Which failures turn a run red: those of the chosen level and of the levels before it in this list. */
export const failOnLevels = ["must", "gap", "should"] as const;
export type FailOn = (typeof failOnLevels)[number];

/** The exit codes of SIGHUP, SIGINT, SIGQUIT and SIGTERM, as shells have them. */
const signalCodes = [z.literal(129), z.literal(130), z.literal(131), z.literal(143)] as const;

/** `failed`: ids of results that turn the run red; `open`: of those that leave it incomplete; `uncovered`: `must` clauses. */
export const verdictSchema = z.strictObject({
  judgement: z.enum(["conformant", "not conformant", "incomplete", "interrupted"]),
  partial: z.boolean(),
  exitCode: z.union([z.literal(0), z.literal(1), z.literal(4), ...signalCodes]),
  counts: z.record(z.enum(caseOutcomes), z.int()),
  failed: z.array(z.string()),
  open: z.array(z.string()),
  uncovered: z.array(z.string()),
});
type Written = z.infer<typeof verdictSchema>;
type Verdict = { readonly [Name in keyof Written]: Readonly<Written[Name]> };
export type SignalCode = z.infer<(typeof signalCodes)[number]>;

interface VerdictInput {
  /** Number of cases in the whole suite: a run with fewer results is partial. */
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
  const countOf = (outcome: Outcome) => results.filter((result) => result.outcome === outcome).length;
  const counts = Object.fromEntries(caseOutcomes.map((one) => [one, countOf(one)])) as Record<Outcome, number>;
  const required = redLevels(failOn);
  const wrong = results.filter((result) => failed(result) && required.includes(result.level));
  const open = results.filter(isUnjudged);
  const ofSuite = results.filter(isOfSuite);
  const partial = isPartial(results, suiteSize);
  const uncovered = partial ? [] : uncoveredClauses(ofSuite, notCovered);
  const complete = open.length === 0 && uncovered.length === 0 && !judgedNothing(counts);
  const red = wrong.length > 0 || baselineFaults > 0;
  const judgement = red ? "not conformant" : complete ? "conformant" : "incomplete";
  const exitCode = ({ "not conformant": 1, incomplete: 4, conformant: 0 } as const)[judgement];
  return { judgement, partial, exitCode, counts, failed: idsOf(wrong), open: idsOf(open), uncovered };
}

/** A replay file's case is not in the suite, and its few requests do not cover the clause. */
const isOfSuite = ({ file }: JudgedResult): boolean => file === undefined;

/** Whether some of the suite's cases did not run. */
export function isPartial(results: readonly JudgedResult[], suiteSize: number): boolean {
  return results.filter(isOfSuite).length < suiteSize || results.some((result) => result.leftOut === true);
}

function idsOf(results: readonly JudgedResult[]): string[] {
  return results.map(({ id }) => id);
}

/** Every report says so where no case was judged: that there is no failure would be a vacuous pass. */
export const NOTHING_JUDGED = "nothing was judged: no case that was asked for applies here";

export function judgedNothing(counts: Verdict["counts"]): boolean {
  return Object.entries(counts).every(([outcome, count]) => count === 0 || outcome === "not-applicable");
}

/** The target departs from the clause, and no baseline knows of it. */
export const failed = ({ outcome }: Pick<JudgedResult, "outcome">) => outcome === "fail" || outcome === "warn";

/** How a result stands to its clauses; a baseline may know of what departs. */
export function standingOf({ outcome }: Pick<JudgedResult, "outcome">): "passes" | "departs" | "is open" {
  if (outcome === "pass") return "passes";
  return outcome === "known" || failed({ outcome }) ? "departs" : "is open";
}

/** Not judged, so the run is incomplete. */
export const isUnjudged = ({ outcome }: Pick<JudgedResult, "outcome">) =>
  outcome === "unreached" || outcome === "error";

/** Anything but a result that asks for no attention. */
export const isTrouble = ({ outcome }: Pick<JudgedResult, "outcome">) =>
  outcome !== "pass" && outcome !== "known" && outcome !== "not-applicable";

/** The levels whose failures turn a run red. */
export const redLevels = (failOn: FailOn): readonly Level[] => failOnLevels.slice(0, failOnLevels.indexOf(failOn) + 1);

/** What a whole run has to cover and no required case has passed or failed. */
function uncoveredClauses(results: readonly JudgedResult[], notCovered: Readonly<Record<string, string>>): ClauseId[] {
  const judging = results.filter((result) => result.level === "must" && standingOf(result) !== "is open");
  const judged = new Set(judging.flatMap(({ clauses }) => clauses));
  return clauseIds.filter((id) => {
    const { level, excluded } = ledger[id];
    return level === "must" && excluded === undefined && notCovered[id] === undefined && !judged.has(id);
  });
}
