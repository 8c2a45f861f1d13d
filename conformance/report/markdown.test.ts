/** Markdown, read by a parser of GitHub's kind of it. */
import { lexer, type Tokens } from "marked";
import { describe, expect, test } from "vitest";
import { reportWith, resultOf, secret } from "../test-support/report.test-support.ts";
import { everyReport } from "../test-support/reports.test-support.ts";
import { renderMarkdown } from "./markdown.ts";
import { safeReport } from "./read.ts";

describe.each(Object.entries(everyReport))("of the %s report", (_, report) => {
  const text = renderMarkdown(safeReport(report));

  test("it is the verdict and a block of code, in which nothing of a target is markup", () => {
    const partial = report.verdict.partial ? "partial: " : "";
    const [heading, code, ...more] = lexer(text).filter(({ type }) => type !== "space");
    expect(heading).toMatchObject({ type: "heading", text: `${partial}${report.verdict.judgement.toUpperCase()}` });
    expect(code?.type).toBe("code");
    expect((code as Tokens.Code).text).toContain(`(exit ${report.verdict.exitCode})`);
    expect(more).toEqual([]);
    expect(text).not.toContain(secret);
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});

test("its size is bounded", () => {
  const many = Array.from({ length: 400 }, (_, index) =>
    resultOf({ id: `CASE-${index}`, outcome: "fail", expected: "|".repeat(900), actual: "🎈".repeat(900) }),
  );
  expect(Buffer.byteLength(renderMarkdown(reportWith(many)))).toBeLessThan(64 * 1024);
});
