import { expect, test } from "vitest";
import { caseOf } from "../test-support/gateway.test-support.ts";
import { timeLimit } from "./judge.ts";

const TIMEOUT_MS = 15_000;
const limitAt = (requestMs: number) => timeLimit(caseOf("ANY"), { driven: false, requestMs }, TIMEOUT_MS);

test("a target that answers within 300 ms has time for a case of 250 requests, one after the other", () => {
  // Four at once, as the pace is measured.
  expect(limitAt(300 / 4)).toBeGreaterThan(250 * 300);
});

test("the time of a case is bounded, however slow the target is", () => {
  expect(limitAt(5000)).toBe(limitAt(50_000));
  expect(limitAt(5000)).toBeLessThan(200_000);
});
