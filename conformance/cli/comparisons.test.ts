/** The commands that compare reports: exit codes, and what is refused in a sentence. */
import { open, readFile, writeFile } from "node:fs/promises";
import { expect } from "vitest";
import { call } from "../test-support/cli.test-support.ts";
import { complaintOf } from "../test-support/complaint.test-support.ts";
import { covering, reportWith, resultOf } from "../test-support/report.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import type { Command } from "./command.ts";
import { diff, matrix } from "./compare.ts";

const green = reportWith([...covering(), resultOf()]);
const red = reportWith([...covering(), resultOf({ outcome: "fail", expected: "y", actual: "x" })]);

const refused = (command: Command, ...args: string[]) => complaintOf(() => command(args));

test("diff ends with 1 where a case broke, and else with 0", async ({ files }) => {
  const at = await files({ "green.json": green, "red.json": red });
  expect((await call(diff, at("green.json"), at("red.json"))).code).toBe(1);
  expect((await call(diff, at("red.json"), at("green.json"))).code).toBe(0);
  expect((await call(diff, at("red.json"), at("red.json"))).code).toBe(0);
});

test("matrix ends with 0 whatever the reports say", async ({ files }) => {
  const at = await files({ "green.json": green, "red.json": red });
  const { code, text } = await call(matrix, at("green.json"), at("red.json"), "--differences");
  expect(code).toBe(0);
  expect(text).toContain("FLOW-EXAMPLE");
});

test("matrix writes the page and Markdown beside the text", async ({ files }) => {
  const at = await files({ "green.json": green, "red.json": red });
  const pages = ["--html", at("page.html"), "--markdown", at("page.md")];
  const { text } = await call(matrix, at("green.json"), at("red.json"), ...pages);
  expect(text).toMatch(/^1: a gateway/);
  expect(await readFile(at("page.html"), "utf8")).toMatch(/^<!doctype html>/i);
  expect(await readFile(at("page.md"), "utf8")).toMatch(/^ {4}1: a gateway/);
});

test.for(Object.entries({ diff, matrix }))("%s refuses each file that is no report", async ([, command], { files }) => {
  const at = await files({ "green.json": green });
  const wrong: readonly (readonly [string, string, RegExp])[] = [
    [
      "odd.json",
      JSON.stringify({ ...green, results: 3 }),
      /odd\.json is not a report as a run writes it:\n {2}results: /,
    ],
    ["empty.json", "", /^the report .*empty\.json is not JSON: /],
  ];
  for (const [name, content, message] of wrong) {
    await writeFile(at(name), content);
    expect(await refused(command, at("green.json"), at(name))).toMatch(message);
  }
  const huge = await open(at("huge.json"), "w");
  await huge.truncate(100_000_000);
  await huge.close();
  expect(await refused(command, at("huge.json"), at("green.json"))).toBe(
    `the report ${at("huge.json")} could not be read: it is longer than 16 MB`,
  );
});

test("too few and too many reports are told what is expected", async () => {
  expect(await refused(diff, "a.json")).toBe(
    "diff needs two JSON reports: webhooks-conformance diff BEFORE.json AFTER.json",
  );
  expect(await refused(diff, "a.json", "b.json", "c.json")).toMatch(/^diff needs two JSON reports/);
  expect(await refused(matrix, "a.json")).toMatch(/^matrix needs 2 to 12 JSON reports: /);
});

test("a page that cannot be written is told before a report is read", async () => {
  expect(await refused(diff, "absent.json", "absent.json", "--html", "/no/such/page.html")).toMatch(
    /^--html \/no\/such\/page\.html could not be written/,
  );
  expect(await refused(matrix, "absent.json", "absent.json", "--markdown", "/no/such/page.md")).toMatch(
    /^--markdown \/no\/such\/page\.md could not be written/,
  );
});
