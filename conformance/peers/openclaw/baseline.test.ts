import { join } from "node:path";
import { expect, test } from "vitest";
import { readBaseline } from "../../library/suite-baseline.ts";

test("the baseline names cases that exist, each with a reason", async () => {
  const { entries } = await readBaseline(join(import.meta.dirname, "baseline.json"), { profile: "openclaw" });
  expect(entries.length).toBeGreaterThan(0);
});
