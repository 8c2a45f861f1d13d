import { expect, test } from "vitest";
import { combinationOf, coverageOf, culpritIn, narrowed, rowsOf, type Row, type Table } from "./rows.ts";

const table = {
  factors: {
    action: ["read", "change", "end"],
    state: ["new", "waiting", "ended"],
    by: ["owner", "sibling", "stranger"],
    revision: ["current", "stale"],
    framing: ["length", "chunks"],
  },
  allows: ({ action, revision, state }) =>
    !(action === "read" && revision === "stale") && !(action === "end" && state === "ended"),
  triples: [["action", "state", "by"]],
} as const satisfies Table;

test("rows hold every pair and every triple asked for, and no row that is not allowed", () => {
  const rows = rowsOf(table);
  // 3 x 2 pairs of (action, revision) without the one forbidden, and so on.
  expect(coverageOf(table, rows)).toEqual({
    pairs: { met: 9 - 1 + 9 + 5 + 6 + 9 + 6 + 6 + 6 + 6 + 4, of: 65 },
    triples: { met: 24, of: 24 },
    without: [],
  });
  expect(rows.every((row) => table.allows(row))).toBe(true);
  expect(rows.length).toBeLessThanOrEqual(27);
});

test("fewer rows meet fewer pairs, and not every value", () => {
  const rows = rowsOf(table).filter(({ by }) => by !== "stranger");
  const { pairs, without } = coverageOf(table, rows);
  expect(pairs.met).toBeLessThan(65);
  expect(without).toEqual([{ factor: "by", values: ["stranger"] }]);
});

test("rows that are listed are each a combination of their own, without what the target does not have", () => {
  const listed = [
    { goal: "a number", status: "right" },
    { goal: "right", status: "a list" },
  ] as const;
  const factors = { goal: ["right", "a number"], status: ["right", "a list"] } as const;
  expect(coverageOf({ factors, listed }, listed).pairs).toEqual({ met: 2, of: 2 });
  const there = rowsOf({ factors, listed, allows: ({ status }) => status !== "a list" });
  expect(coverageOf({ factors, listed }, there)).toMatchObject({
    pairs: { met: 1, of: 2 },
    without: [{ factor: "status", values: ["a list"] }],
  });
});

test("without triples a few rows are enough for ten factors of four values", () => {
  const values = ["a", "b", "c", "d"] as const;
  const factors = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`f${index}`, values]));
  const rows = rowsOf({ factors });
  expect(coverageOf({ factors }, rows).pairs).toEqual({ met: 720, of: 720 });
  expect(rows.length).toBeLessThan(60);
});

test("a failing row is narrowed to the values that it takes", async () => {
  const row = { action: "change", state: "ended", by: "stranger", revision: "stale", framing: "chunks" } as const;
  const tried: unknown[] = [];
  const smallest = await narrowed(row, table, async (one) => {
    tried.push(one);
    return one.by === "stranger" && one.framing === "chunks";
  });
  expect(smallest).toEqual({ by: "stranger", framing: "chunks" });
  expect(tried).not.toContainEqual(expect.objectContaining({ action: "read", revision: "stale" }));
});

test("where the usual row fails too, nothing is left to tell", async () => {
  const row = { action: "change", state: "waiting", by: "owner", revision: "current", framing: "chunks" } as const;
  expect(await narrowed(row, table, async () => true)).toEqual({});
});

test("of rows that were judged at once, what those that fail have in common is told", () => {
  const rows = rowsOf(table) as readonly Row[];
  const failing = (fails: (row: Row) => boolean) => combinationOf(rows.filter(fails), rows, table);
  expect(failing(({ by }) => by === "sibling")).toEqual([{ factor: "by", values: ["sibling"], right: 2 }]);
  expect(failing(({ state }) => state !== "new")).toEqual([
    { factor: "state", values: ["waiting", "ended"], right: 1 },
  ]);
  expect(failing(({ by, action }) => by === "owner" && action === "change")).toEqual([
    { factor: "action", values: ["change"], right: 2 },
    { factor: "by", values: ["owner"], right: 2 },
  ]);
  expect(failing(() => true)).toEqual([]);
});

test("of several that are wrong by themselves the first is named", async () => {
  const wrong = ["c", "f", "g"];
  const culprit = culpritIn("abcdefgh".split(""), async (some) => some.some((one) => wrong.includes(one)));
  expect(await culprit).toBe("c");
});
