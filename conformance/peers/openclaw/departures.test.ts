import { expect, test } from "vitest";
import { cases } from "../../catalogue.ts";
import { readBaseline } from "../../report/baseline/read.ts";
import { departures } from "./departures.ts";
import { baselineFile } from "./main.ts";

const known = new Set(cases.map(({ id }) => id));

test("every departure names cases that exist", () => {
  expect(departures.flatMap((departure) => departure.cases).filter((id) => !known.has(id))).toEqual([]);
});

test("the baseline knows only cases that exist, each a departure from what the interface states", async () => {
  const { entries } = await readBaseline(baselineFile, { caseIds: [...known], profile: "openclaw" });
  const stated = departures.filter(({ against }) => against === "stated").flatMap((departure) => departure.cases);
  expect(entries.map((entry) => entry.case).filter((id) => !stated.includes(id))).toEqual([]);
});
