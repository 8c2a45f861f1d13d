import { expect, test } from "vitest";
import { checks } from "./request-factors.ts";
import { refusingChecks } from "./request-row.ts";
import { tableOf } from "./request-table.ts";
import { coverageOf, rowsOf } from "./rows.ts";

test.each([undefined, ...checks])("each row of the table about %s has that check as the first one to fail", (check) => {
  const rows = rowsOf(tableOf(check));
  expect(new Set(rows.map((row) => refusingChecks(row)[0]))).toEqual(new Set([check]));
});

test.each([undefined, ...checks])("where %s refuses, each kind of route meets each framing, in few rows", (check) => {
  const table = tableOf(check);
  const rows = rowsOf(table);
  const { pairs, without } = coverageOf(table, rows);
  expect(pairs.met).toBe(pairs.of);
  expect(without).toEqual([]);
  // No table of pairs has fewer rows than its two largest factors make.
  const [largest = 0, second = 0] = Object.values(table.factors)
    .map(({ length }) => length)
    .toSorted((a, b) => b - a);
  expect(rows.length).toBeLessThan(1.1 * largest * second);
  expect(new Set(rows.map((row) => `${row["route"]} ${row["framing"]}`)).size).toBe(
    (table.factors["route"]?.length ?? 0) * (table.factors["framing"]?.length ?? 0),
  );
});
