/** What is told of one result: every form of the report prints this selection, none makes one of its own. */
import { clauseOf } from "../interface/clauses/index.ts";
import { againFor } from "./again.ts";
import { expiredOn } from "./baseline/apply.ts";
import { firstFinding, moreOf } from "./findings.ts";
import type { EarlierSteps, Report, ReportedResult } from "./report.ts";
import { brokenClause } from "./way.ts";

type ToldParts = Pick<
  ReportedResult,
  "id" | "title" | "outcome" | "level" | "expected" | "actual" | "reading" | "story" | "exchanges"
>;

export interface Telling extends ToldParts {
  /** Why the case could not be judged; of a failure what there is to say beside what was expected and what came. */
  readonly why?: string | undefined;
  /** The day until which a baseline accepted the failure; it is past. */
  readonly acceptedUntil?: string | undefined;
  /** Of a row: the values that have to meet for the failure, in words. */
  readonly only?: string | undefined;
  /** What the case found beside that, a line each; and how much, in words. */
  readonly also: readonly string[];
  readonly more: string;
  /** Of an invariant: the cases whose requests it was broken by. */
  readonly seenIn: readonly string[];
  readonly before: EarlierSteps;
  /** What other seeds found. */
  readonly otherStories: NonNullable<ReportedResult["otherStories"]>;
  /** Of a failure the clause that it broke, else the first of the case. */
  readonly clause: ToldClause;
  /** The case's further clauses. */
  readonly otherClauses: readonly string[];
  /** The command that runs the case again. */
  readonly again?: string | undefined;
}

interface ToldClause {
  readonly id: string;
  /** Absent for a clause of another suite. */
  readonly stated?: { readonly section: number; readonly text: string } | undefined;
}

type Judged = Pick<Report, "again" | "depth" | "baseline">;

export function tellingOf(result: ReportedResult, report: Judged): Telling {
  const { id, outcome, expected, actual, reason = "", clauses } = result;
  const says = expected === undefined || !(reason === actual || reason.startsWith("expected "));
  const broken = brokenClause(result);
  return {
    ...result,
    why: says && reason !== "" ? reason : undefined,
    acceptedUntil: expiredOn(id, report.baseline),
    only: result.combination && inWords(result.combination),
    also: otherFindings(result),
    more: moreOf(result),
    seenIn: result.seenIn ?? [],
    before: result.before ?? [],
    otherStories: result.otherStories ?? [],
    clause: { id: broken, stated: clauseOf(broken) },
    otherClauses: clauses.filter((clause) => clause !== broken),
    again: outcome === "pass" || outcome === "not-applicable" ? undefined : againFor(result, report),
  };
}

/** `expected 400; got 200, with method: PUT`, of all findings but the first. */
function otherFindings({ findings = [] }: ReportedResult): string[] {
  const others = findings.filter((one) => one !== firstFinding({ findings }));
  return others.map(({ expected: wanted, actual: came, combination, known }) => {
    const where = combination === undefined ? "" : `, ${inWords(combination)}`;
    return `expected ${wanted}; got ${came}${where}${known === true ? " (known)" : ""}`;
  });
}

/** The failure in a sentence: what was expected and what came, or why nothing could be judged. */
export function inOneSentence({
  expected,
  actual = "",
  why,
  only,
  more = "",
  acceptedUntil,
}: Partial<Telling>): string {
  if (expected === undefined) return `not judged: ${why ?? ""}`;
  const until = acceptedUntil === undefined ? "" : `accepted until ${acceptedUntil}, which is past: `;
  return `${until}expected ${expected}; got ${actual}${only === undefined ? "" : `, ${only}`}${why === undefined ? "" : `; ${why}`}${more}`;
}

/** `with kind of route: configured path (not with 8 others)`. */
function inWords(combination: NonNullable<ReportedResult["combination"]>): string {
  if (combination.length === 0) return "with every combination";
  const parts = combination.map(({ factor, values, right }) => {
    const others = right === 0 ? "" : ` (not with ${right} ${right === 1 ? "other" : "others"})`;
    return `${factor}: ${values.join(" or ")}${others}`;
  });
  return `with ${parts.join(", and ")}`;
}

/** Of a request that tries one value in many headers the value is told once: `+ 36 headers holding <value>`. */
export function foldedHeaders(headers: readonly (readonly [string, string])[]): { single: string[]; folded: string[] } {
  const counts = new Map<string, number>();
  for (const [, value] of headers) counts.set(value, (counts.get(value) ?? 0) + 1);
  const isFolded = (value: string) => (counts.get(value) ?? 0) >= MANY;
  return {
    single: headers.flatMap(([name, value]) => (isFolded(value) ? [] : [`${name}: ${value}`])),
    folded: [...counts].flatMap(([value, count]) => (isFolded(value) ? [`+ ${count} headers holding ${value}`] : [])),
  };
}

const MANY = 4;
