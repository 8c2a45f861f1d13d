/** A report from a file that anybody may have written: no string of it acts on a terminal, or on the CI system that logs it. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { everyReport } from "../test-support/reports.test-support.ts";
import { withFolder } from "../test-support/folder.test-support.ts";
import { consoleText, formatNames, render } from "./formats.ts";
import { githubAnnotations } from "./github.ts";
import { readReport } from "./read.ts";
import { reportSchema, type Report } from "./report.ts";

const command = "::error file=x::owned ##vso[task.complete] ##teamcity[buildStatus] ##[error]owned";
const hostile = `\u001b]0;owned\u0007\u009b31m\u202e\u2066 \r${command}\n${command}\n\u3000 ${command} ${"w".repeat(80)}`;

/** The report with hostile texts in each place that the schema lets them be in, alone and at a time. */
function infected(report: Report): { report: Report; places: string[] } {
  const places: string[] = [];
  let current: unknown = report;
  const visit = (value: unknown, path: readonly (string | number)[]) => {
    if (typeof value === "string") {
      const candidate = structuredClone(current) as never;
      let holder: Record<string | number, unknown> = candidate;
      for (const key of path.slice(0, -1)) holder = holder[key] as never;
      holder[path.at(-1) ?? ""] = `${value}${hostile}`;
      const checked = reportSchema.safeParse(candidate);
      if (!checked.success) return;
      current = checked.data;
      places.push(path.filter((key) => typeof key === "string").join("."));
    } else if (typeof value === "object" && value !== null)
      for (const [key, item] of Object.entries(value)) visit(item, [...path, Array.isArray(value) ? Number(key) : key]);
  };
  visit(report, []);
  return { report: current as Report, places };
}

/** As GitHub, Azure and TeamCity read a log: any kind of line break ends a line. */
const commandsIn = (text: string) =>
  text.split(/\r\n|[\n\r]/).filter((line) => /^\s*::/.test(line) || /##\w*\[/.test(line));

const { failing, known, stale, erred, uncovered, driven } = everyReport as Record<string, Report>;
const few = (report: Report | undefined): Report => {
  if (report === undefined) throw new Error("there is no such report");
  return { ...report, results: report.results.filter(({ id }) => !id.startsWith("COVERS-")) };
};

/** Checks that nothing acts on a terminal; returns the text without the kit's own colours. */
function harmless(text: string): string {
  expect(text).toContain("owned");
  // Colours are the kit's own.
  // oxlint-disable-next-line no-control-regex
  const plain = text.replaceAll(/\u001b\[\d+m/g, "");
  // oxlint-disable-next-line no-control-regex
  expect(plain).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
  return plain;
}

describe.each(Object.entries({ failing, known, stale, erred, uncovered, driven }))("the %s report", (name, given) => {
  const { report, places } = infected(few(given));

  test("has the texts in its fields", () => {
    expect(places).toEqual(expect.arrayContaining(["target.name", "profile", "stderrTail"]));
    if (name === "failing")
      expect(places).toEqual(
        expect.arrayContaining(
          ["id", "title", "clauses", "expected", "actual", "exchanges.replay", "exchanges.request.path"].map(
            (field) => `results.${field}`,
          ),
        ),
      );
  });

  /** The report as it is read from a file. */
  const fromFile = async (): Promise<Report> => {
    return withFolder(async (folder) => {
      const file = join(folder, "report.json");
      await writeFile(file, JSON.stringify(report));
      return readReport(file);
    });
  };

  test.each(formatNames)("as %s, from a file, is harmless", async (format) => {
    const text = harmless(await render(await fromFile(), format));
    expect(commandsIn(text)).toEqual([]);
    if (format === "json") expect(JSON.parse(text)).toEqual(report);
  });

  test.each([false, true])("printed with colour %s it is harmless", async (colour) => {
    const options = { files: [`a${hostile}`] };
    expect(commandsIn(harmless(await consoleText(await fromFile(), colour, options)))).toEqual([]);
  });

  test("as annotations it gives GitHub no command but the kit's own", async () => {
    const lines = harmless(githubAnnotations(await fromFile()))
      .trimEnd()
      .split("\n");
    for (const line of lines) {
      expect(line).toMatch(/^::(error|warning|notice) title=[^:,]*::(?!.*##\w*\[)/);
    }
    expect(lines.length).toBeLessThanOrEqual(21);
  });
});
