import { expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { requestCounts } from "./request-counts.ts";

test("every case says how many requests it sends, and a whole run sends at most 16,000", () => {
  expect(Object.keys(requestCounts).toSorted()).toEqual(cases.map(({ id }) => id).toSorted());
  expect(Object.values(requestCounts).reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(16_000);
});
