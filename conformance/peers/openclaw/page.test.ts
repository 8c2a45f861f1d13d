import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { cases } from "../../catalogue.ts";
import { readBaseline } from "../../report/baseline/read.ts";
import { departures } from "./departures.ts";
import { findingsSchema } from "./findings.ts";
import { baselineFile } from "./main.ts";
import { renderPage } from "./page.ts";
import { findingsFile, pageFile } from "./survey.ts";

const known = new Set(cases.map(({ id }) => id));

test("the page says what the findings say", async () => {
  const findings = findingsSchema.parse(JSON.parse(await readFile(findingsFile, "utf8")));
  expect(await readFile(pageFile, "utf8"), "npm run openclaw:survey writes it").toBe(await renderPage(findings));
});

test("every departure names cases that exist", () => {
  expect(departures.flatMap((departure) => departure.cases).filter((id) => !known.has(id))).toEqual([]);
});

test("the baseline knows only cases that exist, each a departure from what the interface states", async () => {
  const file = baselineFile;
  const { entries } = await readBaseline(file, { caseIds: [...known], profile: "openclaw" });
  const stated = departures.filter(({ against }) => against === "stated").flatMap((departure) => departure.cases);
  expect(entries.map((entry) => entry.case).filter((id) => !stated.includes(id))).toEqual([]);
});
