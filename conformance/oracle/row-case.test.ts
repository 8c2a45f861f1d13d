import { expect, test } from "vitest";
import { Failure, failureIn } from "../harness/case-errors.ts";
import type { Trial } from "../harness/trial.ts";
import { rowCase } from "./row-case.ts";
import type { Row } from "./rows.ts";

const about = { id: "A", title: "", clauses: [], requests: 1, client: "one" } as const;

/** As far as a case made of rows needs one; it ends at the first finding. */
const trial = {
  record: {
    found: [],
    find(error: unknown) {
      throw error;
    },
  },
} as unknown as Trial;

test("a failing row is narrowed to the values with which it is played alone", async () => {
  const played: Row[] = [];
  const item = rowCase({
    ...about,
    table: { factors: { method: ["POST", "PUT"], by: ["owner", "sibling"], sent: ["whole", "in pieces"] } },
    async play(_, row) {
      played.push(row);
      if (row["method"] === "PUT" && row["by"] === "sibling") throw new Failure("a refusal", "none");
    },
  });
  const combination = ["method", "by"].map((factor) => expect.objectContaining({ factor }) as unknown);
  await expect(item.run(trial)).rejects.toMatchObject({ finding: { combination } });
  played.length = 0;
  await expect(item.withRow?.({ method: "PUT", by: "sibling" }).run(trial)).rejects.toMatchObject({
    finding: { combination },
  });
  expect(played[0]).toEqual({ method: "PUT", by: "sibling", sent: "whole" });
  await item.withRow?.({ method: "PUT" }).run(trial);
});

test("values that cannot stand in one row are refused before anything is played", () => {
  const factors = { method: ["POST", "PUT"], by: ["owner", "sibling"] } as const;
  const table = { factors, allows: (row: Row) => row["method"] !== "PUT" || row["by"] !== "sibling" };
  const item = rowCase({ ...about, table, play: async () => {} });
  expect(() => item.withRow?.({ method: "PUT", by: "sibling" })).toThrow("no row has PUT and sibling together");
});

test("a row that does not fail again is told without a combination: its values are not to blame", async () => {
  let played = 0;
  const item = rowCase({
    ...about,
    table: { factors: { method: ["POST", "PUT"], by: ["owner", "sibling"] } },
    async play() {
      played += 1;
      if (played === 2) throw new Failure("a refusal", "none");
    },
  });
  const { finding } = (await Promise.resolve(item.run(trial)).catch(failureIn)) as Failure;
  expect(finding.combination).toBeUndefined();
  expect(finding.seen).toEqual({ what: "none", where: "not again with the same row" });
});

test("a factor of which each value fails is no part of the combination", async () => {
  const seen = new Set<string>();
  const item = rowCase({
    ...about,
    table: { factors: { method: ["POST", "PUT"], by: ["owner", "sibling"] } },
    // Whoever sends it, but for the first time.
    async play(_, { method, by }) {
      if (method === "PUT" && (by === "sibling" || seen.has(by))) throw new Failure("a refusal", "none");
      seen.add(by);
    },
  });
  const combination = [{ factor: "method", values: ["PUT"], right: 1, passing: ["POST"] }];
  await expect(item.withRow?.({ method: "PUT", by: "sibling" }).run(trial)).rejects.toMatchObject({
    finding: { combination },
  });
});
