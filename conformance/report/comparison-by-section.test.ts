/** Several reports side by side. */
import { lexer, type Tokens } from "marked";
import { expect, test } from "vitest";
import { attribute, elementsOf, expectHarmless, textIn } from "../test-support/page.test-support.ts";
import { covering, reportWith, resultOf } from "../test-support/report.test-support.ts";
import { everyReport } from "../test-support/reports.test-support.ts";
import { renderComparison } from "./comparisons.ts";
import { compareReports, passedIn } from "./comparison.ts";
import type { Report } from "./report.ts";

const renderMatrix = (format: "console" | "html" | "markdown", reports: readonly Report[], differences = false) =>
  renderComparison(format, compareReports(reports, "section", differences));
const failing = (actual: string) => resultOf({ outcome: "fail", expected: "y", actual });
const named = (name: string, ...results: ReturnType<typeof covering>) =>
  reportWith([...covering(), ...results], { target: { name } });

const good = named("good", resultOf());
const bad = named("bad", failing("x"), resultOf({ id: "FLOW-OTHER", clauses: ["RATE-120"] }));

const idsIn = (...reports: Report[]) =>
  compareReports(reports, "section", true).groups.flatMap(({ rows }) => rows.map(({ id }) => id));
const namesOf = (...reports: Report[]) => compareReports(reports, "section").columns.map(({ name }) => name);

test("each case is a row in the section of its clause, and each report a column", () => {
  const { columns, groups: sections } = compareReports([good, bad], "section");
  expect(columns.map(({ name }) => name)).toEqual(["good", "bad"]);
  const rows = sections.flatMap(({ title, rows: all }) => all.map((row) => ({ ...row, title })));
  const row = (id: string) => rows.find((one) => one.id === id);
  expect(row("FLOW-EXAMPLE")).toMatchObject({ title: "1. What the service does", differs: true });
  expect(row("FLOW-EXAMPLE")?.cells.map((cell) => cell?.outcome)).toEqual(["pass", "fail"]);
  expect(row("FLOW-OTHER")).toMatchObject({ title: "8. Limits", differs: true });
  expect(row("FLOW-OTHER")?.cells[0]).toBeUndefined();
  expect(rows.filter(({ differs }) => !differs)).toHaveLength(covering().length);
});

test("what could not be judged is not counted among what was", () => {
  const { groups } = compareReports([named("a", resultOf({ outcome: "unreached" }))], "section");
  const first = groups.find(({ title }) => title.startsWith("1."));
  expect(first && passedIn(first, 0)).toMatch(/^(\d+)\/\1$/);
});

test("on request only cases that differ are listed, and another failure is a difference", () => {
  expect(idsIn(good, good)).toEqual([]);
  expect(idsIn(good, bad)).toEqual(["FLOW-EXAMPLE", "FLOW-OTHER"]);
  expect(idsIn(named("a", failing("x")), named("b", failing("z")))).toEqual(["FLOW-EXAMPLE"]);
});

test("reports of one target are told apart by the suite, or by the time", () => {
  const newer = { ...good, suite: { ...good.suite, version: "9.0.0" } };
  expect(namesOf(good, newer)[1]).toBe("good, suite 9.0.0");
  expect(namesOf(good, { ...good, startedAt: "2026-01-01T10:20:30.000Z" })[1]).toBe("good, 2026-01-01 10:20");
  expect(namesOf(good, good)).toEqual(["good, report 1", "good, report 2"]);
});

test("the text folds a section to its counts, and lists what some report did not pass", () => {
  const text = renderMatrix("console", [good, bad]);
  expect(text).toMatch(/^1: good, .*\n(.*\n)?2: bad, /);
  expect(text).toMatch(/\n +(\d+)\/\1 +\d+\/\d+ {2}1\. What the service does\n +\. +F {4}FLOW-EXAMPLE\n/);
  expect(text).not.toContain("COVERS-");
  expect(renderMatrix("console", [good, good], true)).toContain("no case differs");
});

test("the page has a folded section for each section, and rows that say whether they differ", () => {
  const page = renderMatrix("html", [good, bad, good]);
  expectHarmless(page);
  const elements = elementsOf(page);
  const groups = elements.filter((element) => attribute(element, "class") === "group");
  expect(groups.every((group) => group.tagName === "details" && attribute(group, "open") === undefined)).toBe(true);
  const rows = elements.filter(({ tagName }) => tagName === "tr");
  const differing = rows.map(textIn).filter((row) => row.includes("(differs)"));
  expect(differing).toEqual([expect.stringContaining("FLOW-EXAMPLE"), expect.stringContaining("FLOW-OTHER")]);
});

test("Markdown is the text as a block of code, which nothing of a target can end", () => {
  const [text, markdown] = (["console", "markdown"] as const).map((form) => renderMatrix(form, [good, bad]));
  const tokens = lexer(markdown ?? "").map((token) => [token.type, (token as Tokens.Code).text]);
  expect(tokens).toEqual([["code", text]]);
});

test("in no form does anything of a target act, whatever the reports", () => {
  const all = Object.values(everyReport).slice(0, 12);
  for (const differences of [false, true]) {
    expectHarmless(renderMatrix("html", all, differences));
    // oxlint-disable-next-line no-control-regex
    expect(renderMatrix("console", all, differences)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(lexer(renderMatrix("markdown", all, differences)).map(({ type }) => type)).toEqual(["code"]);
  }
});

test("a page of very many cases stays small", () => {
  const results = Array.from({ length: 1500 }, (_, index) => resultOf({ id: `F-${index}`, title: "<&".repeat(200) }));
  const report = reportWith(results);
  const page = renderMatrix("html", [report, report]);
  expect(Buffer.byteLength(page)).toBeLessThan(1_500_000);
  expect(page).toMatch(/too large with \d+ further cases/);
});
