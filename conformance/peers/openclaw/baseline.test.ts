import { expect, test } from "vitest";
import { cases } from "../../catalogue.ts";
import { readBaseline } from "../../report/baseline/read.ts";
import { baselineFile } from "./main.ts";

test("the baseline names cases that exist, each with a reason", async () => {
  const known = cases.map(({ id }) => id);
  const { entries } = await readBaseline(baselineFile, { caseIds: known, profile: "openclaw" });
  expect(entries.length).toBeGreaterThan(0);
});
