/** A report as a list of tests, for formats that know tests only: a failure or an error exactly where the run is not green. */
import { clauseOf } from "../interface/clauses/index.ts";
import { headlineOf } from "./findings.ts";
import type { Report, ReportedResult } from "./report.ts";
import { explanation } from "./telling-text.ts";
import { tellingOf } from "./telling.ts";
import { judgedNothing, NOTHING_JUDGED } from "./verdict.ts";
import { sectionOf, sectionTitle } from "./way.ts";

export interface TestCase {
  /** A section of the interface, or what else the test is about. */
  readonly suite: { readonly id: string; readonly title: string };
  readonly id: string;
  readonly title: string;
  readonly ms: number;
  /** The result's outcome, or what else is wrong. */
  readonly outcome: string;
  readonly problem: Problem | undefined;
}

interface Problem {
  readonly kind: "failure" | "error" | "skipped";
  readonly message: string;
  readonly text?: string;
}

export function testCasesOf(report: Report): TestCase[] {
  const inOrder = report.results.toSorted((a, b) => sectionOf(a) - sectionOf(b));
  return [...inOrder.map((result) => caseOf(result, report)), ...besides(report)];
}

function caseOf(result: ReportedResult, report: Report): TestCase {
  const section = sectionOf(result);
  const suite = { id: `section-${section}`, title: sectionTitle(section) };
  const { id, title, ms, outcome } = result;
  return { suite, id, title, ms, outcome, problem: problemOf(result, report) };
}

/** What is not a pass and leaves the verdict as it is counts as skipped; its message begins with the outcome. */
function problemOf(result: ReportedResult, report: Report): Problem | undefined {
  const { id, outcome, reason = "" } = result;
  const { failed, open } = report.verdict;
  const message = headlineOf(result) ?? reason;
  const text = () => explanation(tellingOf(result, report)).join("\n");
  if (failed.includes(id)) return { kind: "failure", message, text: text() };
  if (open.includes(id)) return { kind: "error", message: `${outcome}: ${reason}`, text: text() };
  if (outcome === "pass") return undefined;
  const entry = report.baseline?.entries.find((known) => known.case === id);
  if (outcome === "known") return { kind: "skipped", message: `known: ${entry?.reason ?? ""} (${message})` };
  return { kind: "skipped", message: `${outcome}: ${message}` };
}

/** What turns a run red or incomplete without being a case. */
function besides({ baseline, verdict }: Report): TestCase[] {
  const faults = (baseline?.faults ?? []).map(({ case: id, fault, said }): TestCase => {
    const problem = { kind: "failure", message: `${fault}: ${said}` } as const;
    const suite = { id: "baseline", title: "Baseline" };
    return { suite, id, title: "its entry in the baseline is true", ms: 0, outcome: fault, problem };
  });
  const gaps: (readonly [id: string, title: string, message: string])[] = verdict.uncovered.map((id) => {
    return [id, "a case judges the clause", `not covered: no case judged "${clauseOf(id)?.text ?? id}"`];
  });
  if (judgedNothing(verdict.counts)) gaps.push(["RUN-JUDGES", "a case that was asked for applies", NOTHING_JUDGED]);
  if (verdict.judgement === "interrupted")
    gaps.push(["RUN-ENDS", "the run comes to its end", "interrupted: the run did not come to its end"]);
  const coverage = { id: "coverage", title: "Coverage" };
  const missing = gaps.map(([id, title, message]): TestCase => {
    return { suite: coverage, id, title, ms: 0, outcome: "missing", problem: { kind: "error", message } };
  });
  return [...faults, ...missing];
}
