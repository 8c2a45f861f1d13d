/** JUnit XML for Jenkins, GitLab and the like: it holds a failure or an error exactly where the run is not green. */
import { withoutCommands } from "../foundation/safe-text.ts";
import { ledger, type ClauseId } from "../interface/clauses/index.ts";
import { explanation } from "./failure.ts";
import { partOf } from "./part.ts";
import type { Report, ReportedResult } from "./report.ts";
import { judgedNothing, NOTHING_JUDGED } from "./verdict.ts";

interface TestCase {
  /** The name of its `testsuite`. */
  readonly group: string;
  readonly name: string;
  readonly ms: number;
  readonly problem?: Problem;
}

interface Problem {
  readonly kind: "failure" | "error" | "skipped";
  readonly message: string;
  readonly text?: string;
}

export function renderJunit(report: Report): string {
  const cases = [...report.results.map((result) => caseOf(result, report)), ...besides(report)];
  const groups = new Map<string, TestCase[]>();
  for (const item of cases) groups.set(item.group, [...(groups.get(item.group) ?? []), item]);
  const name = `webhooks-conformance: ${report.target.name}, profile ${report.profile}`;
  const suites = [...groups].map(([group, members]) => suiteOf(group, members, report));
  const { skipped: _, ...counts } = countsOf(cases);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", { name, ...counts }, suites.join(""))}`;
}

function caseOf(result: ReportedResult, report: Report): TestCase {
  const { section } = ledger[result.clauses[0] as ClauseId] ?? { section: 0 };
  const problem = problemOf(result, report);
  return { group: `section ${section}`, name: result.id, ms: result.ms, ...(problem && { problem }) };
}

/** What is not a pass and leaves the verdict as it is counts as skipped; its message begins with the outcome. */
function problemOf(result: ReportedResult, report: Report): Problem | undefined {
  const { id, outcome, reason = "" } = result;
  const { failed, open } = report.verdict;
  const message = result.signature ?? reason;
  const text = () => explanation(result, report).join("\n");
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
    return { group: "baseline", name: id, ms: 0, problem: { kind: "failure", message: `${fault}: ${said}` } };
  });
  const uncovered = verdict.uncovered.map((id): TestCase => {
    const message = `not covered: no case judged "${ledger[id as ClauseId]?.text ?? id}"`;
    return { group: "coverage", name: id, ms: 0, problem: { kind: "error", message } };
  });
  const nothing = judgedNothing(verdict.counts)
    ? [
        {
          group: "coverage",
          name: "anything at all",
          ms: 0,
          problem: { kind: "error", message: NOTHING_JUDGED } as const,
        },
      ]
    : [];
  const message = "interrupted: the run did not come to its end";
  const interrupted: TestCase[] =
    verdict.judgement === "interrupted"
      ? [{ group: "coverage", name: "the whole run", ms: 0, problem: { kind: "error", message } }]
      : [];
  return [...faults, ...uncovered, ...nothing, ...interrupted];
}

function suiteOf(group: string, members: readonly TestCase[], report: Report): string {
  const facts = {
    target: report.target.name,
    profile: report.profile,
    suite: `${report.suite.version} (ledger ${report.suite.ledger})`,
    clock: report.clock,
    verdict: `${report.verdict.judgement}, exit ${report.verdict.exitCode}`,
    part: report.verdict.partial ? partOf(report) : "the whole suite",
  };
  const properties = Object.entries(facts).map(([name, value]) => element("property", { name, value }));
  const inside = [element("properties", {}, properties.join("")), ...members.map(testCaseElement)];
  // The schema knows no time zone: UTC.
  const timestamp = report.startedAt.slice(0, 19);
  return element("testsuite", { name: group, ...countsOf(members), timestamp }, inside.join(""));
}

function testCaseElement({ group, name, ms, problem }: TestCase): string {
  const inside =
    problem === undefined
      ? ""
      : element(problem.kind, { message: problem.message, ...typeOf(problem) }, escaped(problem.text ?? ""));
  const classname = `webhooks-conformance.${group.replace(" ", "-")}`;
  return element("testcase", { classname, name, time: seconds(ms) }, inside);
}

function typeOf({ kind }: Problem): Record<string, string> {
  return kind === "skipped" ? {} : { type: kind };
}

function countsOf(cases: readonly TestCase[]) {
  const count = (kind: Problem["kind"]) => cases.filter(({ problem }) => problem?.kind === kind).length;
  const [failures, errors, skipped] = [count("failure"), count("error"), count("skipped")];
  const time = seconds(cases.reduce((sum, { ms }) => sum + ms, 0));
  return { tests: cases.length, failures, errors, skipped, time };
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

/** `inside` is XML already. */
function element(name: string, attributes: Record<string, string | number>, inside = ""): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escaped(String(value))}"`);
  const tag = `${name}${written.join("")}`;
  return inside === "" ? `<${tag}/>\n` : `<${tag}>${inside.startsWith("<") ? "\n" : ""}${inside}</${name}>\n`;
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** For attributes and text alike. XML 1.0 has no place for most control characters, not even escaped. */
function escaped(text: string): string {
  return withoutCommands(text)
    .replaceAll(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replaceAll(/[&<>"]/g, (character) => entities[character] ?? "")
    .replaceAll(/[\t\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
