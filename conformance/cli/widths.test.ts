/** What is printed to a terminal is as wide as the terminal. */
import { expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { painter } from "../report/wrap.ts";
import { renderConsole } from "../report/console.ts";
import { everyReport } from "../test-support/reports.test-support.ts";
import { commands, helpOf } from "./commands.ts";
import { caseLines } from "./list.ts";

/** What is pasted stays on one line. */
const isCommand = (line: string) =>
  /^ *(next|again|serve|replay) |webhooks-conformance |npx |--row [A-Z]|"notCovered": /.test(line);
const tooWide = (text: string, most: number) =>
  text.split("\n").filter((line) => line.length > most && !isCommand(line));
const words = (text: string) => text.split(/\s+/).join(" ");

test.each([60, 80, 120])("help, list and report at %i columns", async (columns) => {
  for (const name of Object.keys(commands)) {
    const help = await helpOf(name, columns);
    expect(tooWide(help, columns)).toEqual([]);
    expect(words(help)).toBe(words(await helpOf(name)));
  }
  expect(tooWide(caseLines(cases, columns).join("\n"), Math.max(columns, 63))).toEqual([]);
  for (const report of Object.values(everyReport))
    expect(tooWide(renderConsole(report, painter(false), { columns }), columns)).toEqual([]);
});

test("a terminal between 60 and 160 columns is filled, and what is no terminal has 80", () => {
  const [report] = Object.values(everyReport).filter(({ verdict }) => verdict.failed.length > 0);
  if (report === undefined) throw new Error("there is no red report");
  const at = (columns: number | undefined) => renderConsole(report, painter(false), { columns });
  expect(at(1)).toBe(at(60));
  expect(at(0)).toBe(at(undefined));
  expect(at(undefined)).toBe(at(80));
  expect(at(9999)).toBe(at(160));
  expect(new Set([at(60), at(80), at(160)]).size).toBe(3);
});

test("list keeps a case on one line where it is no terminal", () => {
  expect(caseLines(cases)).toHaveLength(cases.length);
});
