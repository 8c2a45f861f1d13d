/** JUnit XML for Jenkins, GitLab and the like: it holds a failure or an error exactly where the run is not green. */
import { grouped } from "../foundation/grouped.ts";
import { withoutCommands } from "../foundation/safe-text.ts";
import { partOf } from "./facts.ts";
import type { Report } from "./report.ts";
import { testCasesOf, type TestCase } from "./test-cases.ts";

interface Timed extends TestCase {
  readonly seconds: number;
}

export function renderJunit(report: Report): string {
  const cases = timed(testCasesOf(report), report.ms);
  const suitesByTitle = grouped(cases, ({ suite }) => suite.title);
  const name = `webhooks-conformance: ${report.target.name}, profile ${report.profile}`;
  const suites = [...suitesByTitle].map(([title, members]) => suiteOf(title, members, report));
  const { skipped: _, ...counts } = countsOf(cases);
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element("testsuites", { name, ...counts }, suites.join(""))}`;
}

/**
 * Readers add the times of tests up, but cases run side by side: each gets its share of the time that the run took, in
 * whole milliseconds that add up to it. The JSON report has the time that each case took.
 */
function timed(cases: readonly TestCase[], runMs: number): Timed[] {
  const measured = cases.reduce((sum, { ms }) => sum + ms, 0) || 1;
  let [before, sharedOut] = [0, 0];
  return cases.map((item) => {
    before += item.ms;
    const share = Math.round((before / measured) * runMs) - sharedOut;
    sharedOut += share;
    return { ...item, seconds: share / 1000 };
  });
}

function suiteOf(title: string, members: readonly Timed[], report: Report): string {
  const facts = {
    target: report.target.name,
    profile: report.profile,
    suite: `${report.suite.version} (ledger ${report.suite.ledger})`,
    clock: report.clock,
    seeds: report.depth?.seeds.join(", ") ?? "none",
    "fail-on": report.failOn,
    again: report.again ?? "unknown",
    verdict: `${report.verdict.judgement}, exit ${report.verdict.exitCode}`,
    part: partOf(report),
  };
  const properties = Object.entries(facts).map(([name, value]) => element("property", { name, value }));
  const inside = [element("properties", {}, properties.join("")), ...members.map(testCaseElement)];
  // The schema knows no time zone: UTC.
  const timestamp = report.startedAt.slice(0, 19);
  return element("testsuite", { name: title, ...countsOf(members), timestamp }, inside.join(""));
}

function testCaseElement({ suite, id, title, seconds, problem }: Timed): string {
  const inside =
    problem === undefined
      ? ""
      : element(
          problem.kind,
          { message: problem.message, ...(problem.kind !== "skipped" && { type: problem.kind }) },
          escaped(problem.text ?? ""),
        );
  const classname = `webhooks-conformance.${suite.id}`;
  return element("testcase", { classname, name: `${id}: ${title}`, time: seconds.toFixed(3) }, inside);
}

type Kind = NonNullable<TestCase["problem"]>["kind"];

function countsOf(cases: readonly Timed[]) {
  const count = (kind: Kind) => cases.filter(({ problem }) => problem?.kind === kind).length;
  const [failures, errors, skipped] = [count("failure"), count("error"), count("skipped")];
  const time = cases.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3);
  return { tests: cases.length, failures, errors, skipped, time };
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
