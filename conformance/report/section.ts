/** The section of the interface that a case belongs to. */
import { clauseOf } from "../interface/clauses/index.ts";
import { sections } from "../interface/sections.ts";
import type { ReportedResult } from "./report.ts";

/** That of the case's first clause; the last number where this suite knows none of its clauses. */
export function sectionOf({ clauses }: Pick<ReportedResult, "clauses">): number {
  return clauses.map((id) => clauseOf(id)).find((clause) => clause !== undefined)?.section ?? OTHER;
}

const OTHER = 99;

export function sectionTitle(section: number): string {
  return section === OTHER ? "Other cases" : `${section}. ${sections[section] ?? ""}`;
}
