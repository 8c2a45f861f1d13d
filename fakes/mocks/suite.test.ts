import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runConformance } from "../../conformance/library/index.ts";
import { cases as suite } from "../../conformance/catalogue.ts";
import { differences, differencesList } from "./differences.test-support.ts";
import { FEW_PROBES } from "../../conformance/test-support/gateway.test-support.ts";
import { endInterception, mockTargets } from "../../conformance/test-support/mock-targets.test-support.ts";

afterAll(endInterception);

/** A small part of the suite, without a case of the list of differences; `npm run mocks` judges with all of it. */
const section = ["METHOD-PUT", "AUTH-BEARER", "AUTH-WRONG", "CANCEL-PENDING-CODE"];

test.concurrent.each(Object.entries(mockTargets))("the suite passes the mock for %s", async (_, target) => {
  const { report, verdict } = await runConformance({ ...target, ...FEW_PROBES }, { cases: section });
  expect(verdict).toMatchObject({ failed: [], open: [] });
  const passed = report.results.filter(({ outcome }) => outcome === "pass").map(({ id }) => id);
  expect(passed).toEqual(expect.arrayContaining(section));
});

test("the cases that are said to differ exist, each once for each mock, and are those of the page", () => {
  const ids = new Set(suite.map(({ id }) => id));
  const listed = differences.flatMap(({ mocks, cases }) => mocks.flatMap((name) => cases.map((id) => `${name} ${id}`)));
  expect(listed.filter((line) => !ids.has(line.replace(/^\w+ /, "")))).toEqual([]);
  expect(new Set(listed).size).toBe(listed.length);
  // A new case that needs addresses belongs on the list; otherwise only the whole run would show that it is missing.
  const wantsAddresses = suite.filter(({ needs = [] }) => needs.includes("addresses")).map(({ id }) => id);
  expect(wantsAddresses.toSorted()).toEqual(differences[0]?.cases.toSorted());
  expect(readFileSync(join(import.meta.dirname, "..", "..", "docs", "MOCKS.md"), "utf8")).toContain(differencesList());
});
