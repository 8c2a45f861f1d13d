/** Markdown, read by a parser of GitHub's kind of it. */
import { lexer, type Token, type Tokens } from "marked";
import { describe, expect, test } from "vitest";
import { reportWith, resultOf, secret } from "../test-support/report.test-support.ts";
import { everyReport } from "../test-support/reports.test-support.ts";
import { renderMarkdown } from "./markdown.ts";

const isTable = (token: Token): token is Tokens.Table => token.type === "table";
const tablesIn = (text: string) => lexer(text).filter(isTable);

/** Kinds of markup anywhere below. */
function kindsIn(tokens: readonly Token[]): Set<string> {
  const kinds = new Set<string>();
  const visit = (value: unknown) => {
    if (typeof value !== "object" || value === null) return;
    if ("type" in value && typeof value.type === "string") kinds.add(value.type);
    Object.values(value).forEach(visit);
  };
  visit(tokens);
  return kinds;
}

describe.each(Object.entries(everyReport))("of the %s report", (_, report) => {
  const text = renderMarkdown(report);

  test("begins with the verdict", () => {
    const [heading] = lexer(text);
    const partial = report.verdict.partial ? "partial: " : "";
    expect(heading).toMatchObject({ type: "heading", depth: 2 });
    expect(text.startsWith(`## ${partial}${report.verdict.judgement.toUpperCase()}: `)).toBe(true);
  });

  test("has nothing in it that a target could make into markup", () => {
    const ours = ["heading", "paragraph", "space", "text", "table", "escape"];
    expect([...kindsIn(lexer(text))].filter((kind) => !ours.includes(kind))).toEqual([]);
    expect(text).not.toMatch(/[<>`@$]|www\.|:\/\//);
    expect(text).not.toContain(secret);
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  test("has tables of as many cells as their heads", () => {
    const lines = text.split("\n").filter((line) => line.startsWith("|"));
    const rows = tablesIn(text).reduce((sum, table) => sum + table.rows.length + 2, 0);
    expect(rows).toBe(lines.length);
    for (const table of tablesIn(text)) {
      for (const row of table.rows) expect(row).toHaveLength(table.header.length);
    }
  });
});

const titles = (name: string) => renderMarkdown(everyReport[name] as never).match(/^### .*/gm);

test("failures, known deviations, what is stale and what is not covered have a table each", () => {
  expect(titles("failing")).toEqual(["### Failures: 2"]);
  expect(titles("known")).toEqual(["### Known deviations: 1"]);
  expect(titles("stale")).toEqual(["### The baseline is no longer true: 1"]);
  expect(titles("unreached")).toEqual(["### Left open: 1"]);
  expect(titles("uncovered")?.[0]).toMatch(/^### Clauses not covered: \d+$/);
  expect(titles("empty")).toContain("### Accepted as not covered: 1");
});

test("a part of the suite and a driven clock are said to be no release verdict", () => {
  expect(renderMarkdown(everyReport["partial"] as never)).toContain("no release verdict");
  expect(renderMarkdown(everyReport["driven"] as never)).toContain("Time was simulated");
});

test("its size is bounded, and what is left out is said", () => {
  const many = Array.from({ length: 400 }, (_, index) =>
    resultOf({ id: `CASE-${index}`, outcome: "fail", expected: "|".repeat(900), actual: "🎈".repeat(900) }),
  );
  const text = renderMarkdown(reportWith(many));
  expect(Buffer.byteLength(text)).toBeLessThan(600 * 1024);
  expect(text).toMatch(/\n\d+ more lines are left out; the JSON report has everything\.\n$/);
});
