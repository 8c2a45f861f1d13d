import { expect, test } from "vitest";
import { cases } from "../../catalogue.ts";
import { readBaseline } from "../../report/baseline/read.ts";
import { baselineFile } from "./main.ts";
import { readFindings, readVersions } from "./survey.ts";

test("the baseline names cases that exist, each with a reason", async () => {
  const known = cases.map(({ id }) => id);
  const { entries } = await readBaseline(baselineFile, { caseIds: known, profile: "openclaw" });
  expect(entries.length).toBeGreaterThan(0);
});

test("all findings, and the matrix of the versions, come from one suite", async () => {
  const { runs } = await readFindings();
  const [suite = "", ...others] = new Set(Object.values(runs).map((run) => run.suite));
  expect(others).toEqual([]);
  expect((await readVersions())?.split("\n")[0]).toBe(`Every column: suite ${suite}.`);
});
