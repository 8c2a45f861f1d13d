/** Clauses that no case judged. */
import { PROFILE_FIELDS } from "../harness/case-errors.ts";
import type { Report, ReportedResult } from "./report.ts";

const about = (clause: string, { results }: Report): readonly ReportedResult[] =>
  results.filter(({ clauses }) => clauses.includes(clause));

/** What kept the cases about the clause from judging it: first of those that were left open. */
export function whyUncovered(clause: string, report: Report): string {
  const cases = about(clause, report);
  const open = cases.find(({ outcome }) => outcome === "unreached" || outcome === "error");
  return (open ?? cases[0])?.reason ?? "no case judged it";
}

/** No case about the clause applies to the target: there is nothing to fix first. */
export function isOutOfReach(clause: string, report: Report): boolean {
  return about(clause, report).every(({ outcome }) => outcome === "not-applicable");
}

/** A case about the clause does not apply because the target does not take the profile's field names. */
export function mayHaveOtherFields(clause: string, report: Report): boolean {
  return about(clause, report).some(({ reason = "" }) => reason.includes(PROFILE_FIELDS));
}
