/** Markdown, read by a parser of GitHub's kind of it. */
import { lexer, type Tokens } from "marked";
import { describe, expect, test } from "vitest";
import { reportWith, resultOf, secret } from "../test-support/report.test-support.ts";
import { judgementOf } from "./facts.ts";
import { everyReport } from "../test-support/reports.test-support.ts";
import { renderMarkdown } from "./markdown.ts";
import { safeReport } from "./read.ts";

describe.each(Object.entries(everyReport))("of the %s report", (_, report) => {
  const text = renderMarkdown(safeReport(report));

  test("it is the verdict and blocks of code, in which nothing of a target is markup", () => {
    const [heading, code, ...more] = lexer(text).filter(({ type }) => type !== "space");
    expect(heading).toMatchObject({ type: "heading", text: judgementOf(report) });
    expect(code?.type).toBe("code");
    expect((code as Tokens.Code).text).toContain(`(exit ${report.verdict.exitCode})`);
    const wrong = [...report.verdict.failed, ...report.verdict.open];
    expect(more.map(({ type }) => type)).toEqual(wrong.length === 0 ? [] : ["heading", "code"]);
    const lines = more.slice(1).flatMap((token) => (token as Tokens.Code).text.trimEnd().split("\n"));
    expect(lines.map((line) => line.split(": ")[0])).toEqual(wrong);
    expect(text).not.toContain(secret);
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

const failures = (count: number, actual: string) =>
  Array.from({ length: count }, (_, index) =>
    resultOf({ id: `CASE-${index}`, outcome: "fail", expected: "|".repeat(900), actual: `${index} ${actual}` }),
  );

test("each failure and each case left open has a line with what was expected and what came", () => {
  const open = resultOf({ id: "OPEN", outcome: "unreached", reason: "flowId is not shown" });
  const text = renderMarkdown(reportWith([...failures(200, "y"), open, resultOf({ id: "GREEN" })]));
  const list = text.slice(text.indexOf("\n### Failed or left open: 201\n"));
  const lines = list.split("\n").filter((line) => line.startsWith("    "));
  expect(lines).toHaveLength(201);
  expect(lines[7]).toBe(`    CASE-7: expected ${"|".repeat(900)}; got 7 y`);
  expect(lines.at(-1)).toBe("    OPEN: not judged: flowId is not shown");
});

test("its size is bounded, and it counts what is left out", () => {
  const text = renderMarkdown(reportWith(failures(400, "🎈".repeat(900))));
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(512 * 1024);
  expect(text).toMatch(/\n {4}and \d+ more: the JSON report has them\n$/);
});
