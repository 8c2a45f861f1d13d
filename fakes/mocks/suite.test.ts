import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runConformance, type LaunchTarget } from "../../conformance/library/index.ts";
import { cases as suite } from "../../conformance/catalogue.ts";
import { differences, differencesList, differingCases } from "./differences.test-support.ts";
import {
  endInterception,
  mockTargets,
  socketTarget,
} from "../../conformance/test-support/mock-targets.test-support.ts";

afterAll(endInterception);

/** `npm run mocks`, which takes minutes: the whole suite in place of a part. */
const isWhole = process.env["MOCKS"] === "whole";

/** A part of the suite, without a case of the list of differences. */
const section = [
  "METHOD-*",
  "REQUEST-*",
  "AUTH-*",
  "REVISION-STALE",
  "STATES-CANCEL-*",
  "CANCEL-PENDING-CODE",
  "RATE-121-REFUSED",
];

async function outcomesOf(target: LaunchTarget) {
  const { results } = (await runConformance(target, { maxMinutes: 20 })).report;
  return new Map(results.map(({ id, outcome, reason = "", actual = reason }) => [id, { outcome, actual }] as const));
}

if (isWhole)
  test("the whole suite finds the mocks like the same plugin behind a socket, but for the cases that are said to differ", async () => {
    const socket = await outcomesOf(socketTarget);
    for (const target of Object.values(mockTargets)) {
      const mock = await outcomesOf(target);
      const known = differingCases(target.name);
      const differing = new Map([...mock].filter(([id, { outcome }]) => outcome !== socket.get(id)?.outcome));
      expect
        .soft(
          [...differing].filter(([id]) => !known.has(id)),
          `${target.name}: not listed`,
        )
        .toEqual([]);
      expect
        .soft(
          [...known].filter((id) => !differing.has(id)),
          `${target.name}: listed, but alike`,
        )
        .toEqual([]);
    }
  }, 3_600_000);
else
  test.concurrent.each(Object.entries(mockTargets))("the suite passes the mock for %s", async (_, target) => {
    const { report, verdict } = await runConformance(target, { cases: section });
    expect(verdict).toMatchObject({ failed: [], open: [] });
    expect(report.results.filter(({ outcome }) => outcome === "pass").length).toBeGreaterThan(20);
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
