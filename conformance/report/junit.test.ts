/** JUnit XML, judged by libxml2 against the schema that Jenkins goes by, and read by a program that others use. */
import { readFileSync } from "node:fs";
import { parse, type TestCase, type TestSuites } from "junit2json";
import { describe, expect, test } from "vitest";
import { validateXML } from "xmllint-wasm";
import { everyReport } from "../test-support/reports.test-support.ts";
import { renderJunit } from "./junit.ts";

const schema = readFileSync(new URL("../test-support/junit-10.xsd", import.meta.url), "utf8");
/** One process for all of them: starting libxml2 is what costs. */
async function faultsOf(texts: Readonly<Record<string, string>>): Promise<string[]> {
  const { errors } = await validateXML({
    xml: Object.entries(texts).map(([name, contents]) => ({ fileName: `${name.replace(" ", "-")}.xml`, contents })),
    schema: [{ fileName: "junit-10.xsd", contents: schema }],
  });
  return errors.map(({ rawMessage }) => rawMessage);
}

async function read(xml: string): Promise<{ suites: TestSuites; cases: TestCase[] }> {
  const suites = (await parse(xml)) as TestSuites;
  return { suites, cases: (suites.testsuite ?? []).flatMap(({ testcase }) => testcase ?? []) };
}

const sum = (times: readonly (number | undefined)[]) => times.reduce<number>((total, time = 0) => total + time, 0);

const withProblem = (cases: readonly TestCase[], kind: "failure" | "error" | "skipped") =>
  cases.filter((item) => item[kind] !== undefined).map(({ name }) => name);

test("every report is valid by the schema", async () => {
  const texts = Object.entries(everyReport).map(([name, report]) => [name, renderJunit(report)]);
  expect(await faultsOf(Object.fromEntries(texts) as Record<string, string>)).toEqual([]);
});

describe.each(Object.entries(everyReport))("of the %s report", (_, report) => {
  const xml = renderJunit(report);

  test("is read with every case, and is red exactly where the run is not green", async () => {
    const { suites, cases } = await read(xml);
    const titles = cases.map((item) => (item.name ?? "").split(": ")[0]);
    for (const { id } of report.results) expect(titles).toContain(id);
    const bad = withProblem(cases, "failure").length + withProblem(cases, "error").length;
    expect(bad > 0).toBe(report.verdict.exitCode !== 0);
    expect(suites).toMatchObject({ tests: cases.length, failures: withProblem(cases, "failure").length });
    expect(suites.errors).toBe(withProblem(cases, "error").length);
    for (const suite of suites.testsuite ?? []) {
      expect(suite.tests).toBe(suite.testcase?.length);
      expect(suite.skipped).toBe(withProblem(suite.testcase ?? [], "skipped").length);
    }
    const names = cases.map((item) => `${item.classname} ${item.name}`);
    expect(new Set(names).size).toBe(names.length);
  });

  test("has times that add up to the run, and what it was run with", async () => {
    const { suites, cases } = await read(xml);
    const measured = report.results.some(({ ms }) => ms > 0);
    expect(suites.time).toBeCloseTo(measured ? report.ms / 1000 : 0, 6);
    expect(sum(cases.map(({ time }) => time))).toBeCloseTo(suites.time ?? 0, 6);
    expect(sum((suites.testsuite ?? []).map(({ time }) => time))).toBeCloseTo(suites.time ?? 0, 6);
    for (const { properties = [] } of suites.testsuite ?? [])
      expect(properties.map(({ name: property }) => property)).toEqual(
        expect.arrayContaining(["target", "profile", "verdict", "seeds", "again"]),
      );
  });
});

test("a failure says what was expected, what came and how to bring it about again", async () => {
  const { cases } = await read(renderJunit(everyReport["failing"] as never));
  const [failure] = cases.find((item) => item.name === "FLOW-FAILS: An example")?.failure ?? [];
  expect(failure?.message).toMatch(/^expected 404 .*; got 200 /);
  expect(failure?.inner).toContain("  expected  404");
  expect(failure?.inner).toContain("</failure> <img src=x");
  expect(failure?.inner).toContain("--case FLOW-FAILS");
});

const skippedIn = async (name: string, id: string) => {
  const { cases } = await read(renderJunit(everyReport[name] as never));
  return JSON.stringify(cases.find((item) => item.name === `${id}: An example`)?.skipped);
};

test("a known deviation is skipped with its reason, a warning with what it warns of", async () => {
  expect(await skippedIn("known", "FLOW-FAILS")).toContain("known: ");
  expect(await skippedIn("warned", "WARNS")).toContain("warn: expected x; got ");
  expect(await skippedIn("uncovered", "FLOW-EXAMPLE")).toContain("not-applicable: needs ");
});

test("the schema refuses what is no JUnit XML", async () => {
  const faults = await faultsOf({
    one: "<testsuites><testcase/></testsuites>",
    two: "<testsuites>\u0007</testsuites>",
  });
  expect(faults.join("\n")).toMatch(/one\.xml.*testcase/);
  expect(faults.join("\n")).toMatch(/two\.xml.*PCDATA invalid Char value 7/);
});
