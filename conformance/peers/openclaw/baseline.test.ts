import { expect, test } from "vitest";
import { readBaseline } from "../../library/suite-baseline.ts";
import { baselineFile } from "./main.ts";

test("the baseline names cases that exist, each with a reason", async () => {
  const { entries } = await readBaseline(baselineFile, { profile: "openclaw" });
  expect(entries.length).toBeGreaterThan(0);
});
