/** What is told of one result: every form of the report prints this selection, none makes one of its own. */
import { clauseOf } from "../interface/clauses/index.ts";
import { inWords } from "../harness/finding.ts";
import { againFor } from "./again.ts";
import { expiredOn } from "./baseline/apply.ts";
import { firstNames, number } from "./facts.ts";
import { firstFinding, moreOf, waysIn } from "./findings.ts";
import type { Report, ReportedFinding, ReportedResult } from "./report.ts";
import { brokenClause } from "./way.ts";

export type Telling = ReturnType<typeof tellingOf>;

export function tellingOf(result: ReportedResult, report: Pick<Report, "again" | "serve" | "depth" | "baseline">) {
  const {
    id,
    outcome,
    expected,
    actual = "",
    reason = "",
    clauses,
    findings = [],
    seenIn,
    story,
    before = [],
  } = result;
  const says = expected === undefined || ![actual, inWords({ expected, actual })].includes(reason);
  const broken = brokenClause(result);
  return {
    ...result,
    /** Why the case could not be judged; of a failure what there is to say beside what was expected and what came. */
    why: says && reason !== "" ? reason : undefined,
    /** The day until which a baseline accepted the failure; it is past. */
    acceptedUntil: expiredOn(id, report.baseline),
    /** Of a row: the values that have to meet for the failure, in words. */
    when: result.combination && whereIn(result.combination),
    /** What it tells that the case passes where no other was judged before. */
    alone:
      result.judgedAlone === "passes"
        ? "it passes on a new start: a reload before it, or what other cases left in the target, makes it fail"
        : undefined,
    /** What the case found beside that, a line each; and how much, in words. `actual` has all that is new of an invariant. */
    also: findings.filter((one) => one !== firstFinding(result) && (seenIn === undefined || one.known)).map(lineOf),
    more: moreOf(result),
    /** Of a failure the clause that it broke, else the first of the case. `stated` is absent for one of another suite. */
    clause: { id: broken, stated: clauseOf(broken) },
    otherClauses: clauses.filter((clause) => clause !== broken),
    /** What has to run first for the exchanges' `replay` lines to be answered. */
    serve: result.exchanges.some(({ replay }) => replay !== undefined) ? report.serve : undefined,
    /** The one exchange shows the failure: after other requests only `again`, which sends them all, shows it again. */
    isAlone: story === undefined && before.length === 0,
    /** The command that runs the case again. */
    again: outcome === "pass" || outcome === "not-applicable" ? undefined : againFor(result, report),
  };
}

/** `expected 400; got 200, with method: PUT`. */
function lineOf({ expected, actual, seen, combination, known }: Omit<ReportedFinding, "signature">): string {
  const where = combination === undefined ? "" : `, with ${whereIn(combination, FEW_VALUES)}`;
  const found = inWords({ expected: seen?.expected ?? expected, actual: waysIn([{ actual, seen }]) });
  return `${found}${where}${known === true ? " (known)" : ""}`;
}

/** The failure in a sentence: what was expected and what came, or why nothing could be judged. */
export function inOneSentence({ expected, actual = "", combination, why, more = "", acceptedUntil }: Partial<Telling>) {
  if (expected === undefined) return `not judged: ${why ?? ""}`;
  const until = acceptedUntil === undefined ? "" : `accepted until ${acceptedUntil}, which is past: `;
  return `${until}${lineOf({ expected, actual, combination })}${why === undefined ? "" : `; ${why}`}${more}`;
}

/** What failed, what came, and last, as it may be cut, the values that have to meet. */
export const asHeadline = ({ id, expected, why, ...telling }: Telling): string =>
  `${id}: ${inOneSentence({ ...telling, expected, why: expected === undefined ? why : undefined })}`;

/** Of one factor, in a sentence. */
const FEW_VALUES = 3;

/** `kind of route: configured path (not with the usual one, nested path and 7 more)`. */
function whereIn(combination: NonNullable<ReportedResult["combination"]>, most = Infinity): string {
  if (combination.length === 0) return "every value that was tried";
  // What was tried with one value alone may have nothing to do with it.
  const compared = combination.filter(({ right }) => right > 0);
  const parts = (compared.length > 0 ? compared : combination).map(({ factor, values, right, passing = [] }) => {
    const shown = values.length > most ? [...values.slice(0, most - 1), `${values.length - most + 1} more`] : values;
    const others = passing.length > 0 ? firstNames(passing, FEW_VALUES - 1) : number(right, "other");
    return `${factor}: ${eitherOf(shown)}${right === 0 ? "" : ` (not with ${others})`}`;
  });
  return parts.join(", and ");
}

/** `a, b or c`. */
const eitherOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;

/** Headers that rarely explain a failure: told by their names at most; the JSON report has their values. */
const everydayHeaders = new Set([
  "cache-control",
  "connection",
  "content-length",
  "date",
  "keep-alive",
  "x-content-type-options",
]);

type Headers = readonly (readonly [string, string])[];

/** An answer's headers without the everyday ones, and the names of those. */
export const splitHeaders = (headers: Headers) => ({
  told: headers.filter(([name]) => !everydayHeaders.has(name)),
  everyday: headers.flatMap(([name]) => (everydayHeaders.has(name) ? [name] : [])),
});

/** Of a request that tries one value in many headers the value is told once: `+ 36 headers holding <value>`. */
export function foldedHeaders(headers: Headers): { single: string[]; folded: string[] } {
  const counts = new Map<string, number>();
  for (const [, value] of headers) counts.set(value, (counts.get(value) ?? 0) + 1);
  const isFolded = (value: string) => (counts.get(value) ?? 0) >= MANY;
  return {
    single: headers.flatMap(([name, value]) => (isFolded(value) ? [] : [`${name}: ${value}`])),
    folded: [...counts].flatMap(([value, count]) => (isFolded(value) ? [`+ ${count} headers holding ${value}`] : [])),
  };
}

const MANY = 4;
