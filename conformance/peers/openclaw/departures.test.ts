import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { cases } from "../../catalogue.ts";
import { readBaseline } from "../../report/baseline/read.ts";
import { departures } from "./departures.ts";
import { baselineFile } from "./main.ts";
import { pageFile, renderPage } from "./page.ts";
import { readFindings, readVersions } from "./survey.ts";

const known = new Set(cases.map(({ id }) => id));

test("every departure names cases that exist", () => {
  expect(departures.flatMap((departure) => departure.cases).filter((id) => !known.has(id))).toEqual([]);
});

test("the baseline knows only cases that exist, each a departure from what the interface states", async () => {
  const { entries } = await readBaseline(baselineFile, { caseIds: [...known], profile: "openclaw" });
  const stated = departures.filter(({ against }) => against === "stated").flatMap((departure) => departure.cases);
  expect(entries.map((entry) => entry.case).filter((id) => !stated.includes(id))).toEqual([]);
});

test("all that the page compares was judged by one suite", async () => {
  const { runs } = await readFindings();
  const [suite = "", ...others] = new Set(Object.values(runs).map((run) => run.suite));
  expect(others).toEqual([]);
  expect((await readVersions())?.split("\n")[0]).toBe(`Every column: suite ${suite}.`);
});

test("docs/OPENCLAW.md is what the findings say (npm run pages writes it)", async () => {
  expect(readFileSync(pageFile, "utf8")).toBe(await renderPage(await readFindings(), await readVersions()));
});
