/** Where a result belongs: to a stop of a request's way, in whose order failures are told and fixed, and to a section. */
import { clauseOf } from "../interface/clauses/index.ts";
import { sections } from "../interface/sections.ts";
import { way, type StopName } from "../interface/way.ts";
import { firstFinding } from "./findings.ts";
import type { ReportedResult } from "./report.ts";
import { isUnjudged } from "./verdict.ts";

/** For a report of a suite with other clauses. */
export const ELSEWHERE = "other clauses";

export type Stop = StopName | typeof ELSEWHERE;

/** In the way's order. */
export const stops: readonly Stop[] = [...(Object.keys(way) as StopName[]), ELSEWHERE];

const stopOfClause = new Map<string, Stop>(
  Object.entries(way).flatMap(([stop, clauses]) => clauses.map((id) => [id, stop as StopName] as const)),
);

/** The clause that a failure is about: that of its first finding, else the first of the case. */
export const brokenClause = (result: Pick<ReportedResult, "findings" | "clauses">): string =>
  firstFinding(result)?.clause ?? result.clauses[0] ?? "";

/** Where a result belongs: a failure to the clause that it broke, a result left open to the stop that kept it from being judged. */
export function stopOf(result: ReportedResult): Stop {
  const blocking = isUnjudged(result) ? stops.find((stop) => stop === result.at) : undefined;
  return blocking ?? stopOfClause.get(brokenClause(result)) ?? ELSEWHERE;
}

/** The section of the interface that a case belongs to, that of its first clause; the last number for one of another suite. */
export function sectionOf({ clauses }: Pick<ReportedResult, "clauses">): number {
  return clauses.map((id) => clauseOf(id)).find((clause) => clause !== undefined)?.section ?? OTHER;
}

const OTHER = 99;

export function sectionTitle(section: number): string {
  return section === OTHER ? "Other cases" : `${section}. ${sections[section] ?? ""}`;
}
