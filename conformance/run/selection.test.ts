import { expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { ledger } from "../interface/clauses/index.ts";
import type { Selection } from "./selection.ts";
import { selectCases } from "./selection.ts";
import { complaintOf } from "../test-support/complaint.test-support.ts";

const select = (selection: Partial<Selection>) => selectCases(cases, { quick: false, ...selection });
const ids = (selection: Partial<Selection>) => select(selection).map(({ id }) => id);
const complaint = (selection: Partial<Selection>) => complaintOf(() => select(selection));

test("a section selects the cases of its clauses", () => {
  const chosen = select({ sections: [5] });
  expect(chosen.length).toBeGreaterThan(0);
  expect(chosen).toEqual(cases.filter(({ clauses }) => clauses.some((id) => ledger[id].section === 5)));
});

test("a clause, a capability and an exact id select the cases that have them", () => {
  expect(select({ clauses: ["BODY-TIME"] })).toEqual(cases.filter((item) => item.clauses.includes("BODY-TIME")));
  expect(select({ capabilities: ["restart"] })).toEqual(cases.filter((item) => item.needs?.includes("restart")));
  expect(ids({ cases: ["AUTH-BEARER"] })).toEqual(["AUTH-BEARER"]);
});

test("in a pattern * stands for any characters, ? for one, and nothing else is special", async () => {
  const all = cases.map(({ id }) => id);
  expect(ids({ cases: ["AUTH-*"] })).toEqual(all.filter((id) => id.startsWith("AUTH-")));
  expect(ids({ cases: ["*"] })).toEqual(all);
  expect(ids({ cases: ["AUTH-BEAR??"] })).toEqual(["AUTH-BEARER"]);
  expect(await complaint({ cases: ["AUTH.BEARER"] })).toMatch(/^there is no case "AUTH\.BEARER"; nearest: AUTH-BEARER/);
});

test("values of one kind add up, kinds narrow each other", async () => {
  expect(ids({ cases: ["AUTH-WRONG", "AUTH-BEARER"] }).toSorted()).toEqual(["AUTH-BEARER", "AUTH-WRONG"]);
  const both = select({ sections: [8], cases: ["BODY-*"] });
  expect(both).toEqual(select({ cases: ["BODY-*"] }).filter((item) => select({ sections: [8] }).includes(item)));
  expect(await complaint({ sections: [8], cases: ["AUTH-BEARER"] })).toBe(
    "no case matches all of the filters together",
  );
});

test.each<[string, Partial<Selection>, RegExp]>([
  ["a section", { sections: [99] }, /^no case judges section 99; there are: 1, 2, 3, /],
  ["a clause", { clauses: ["BODY-TIM"] }, /^there is no clause "BODY-TIM"; nearest: BODY-TIME/],
  ["a clause that is excluded", { clauses: ["SERVICE-HOSTED"] }, /^no case judges the clause SERVICE-HOSTED: \S/],
  ["a pattern", { cases: ["AUHT-*"] }, /^no case matches "AUHT-\*" \(webhooks-conformance list shows them\)$/],
  ["a row of several cases", { cases: ["STATES-*"], row: ["by=owner"] }, /^--row needs --case with one case that is/],
  [
    "a value of a row",
    { cases: ["STATES-DATA"], row: ["state=wating"] },
    /^STATES-DATA has no .*; nearest: state=wait/,
  ],
  ["a capability", { capabilities: ["restrat"] }, /^there is no capability "restrat"; nearest: restart/],
])("%s that no case has is told with what there is", async (_, selection, message) => {
  expect(await complaint(selection)).toMatch(message);
});

test.each([1, 2, 3, 7])("shards of %i parts hold each case once, and are of about one size", (of) => {
  const shards = Array.from({ length: of }, (_, at) => select({ shard: { index: at + 1, of } }));
  expect(
    // The invariants watch in every shard.
    [...new Set(shards.flat().map(({ id }) => id))].toSorted(),
  ).toEqual(cases.map(({ id }) => id).toSorted());
  const costs = shards.map((shard) => shard.reduce((sum, { requests }) => sum + requests, 0));
  expect(Math.max(...costs)).toBeLessThan(2 * Math.min(...costs) + 200);
});

test("shards do not depend on the order of the cases, and keep it", () => {
  const shard = { index: 2, of: 3 };
  const turned = selectCases(cases.toReversed(), { quick: false, shard });
  expect(turned).toEqual(select({ shard }).toReversed());
});

test("shards split the selected cases; more shards than these allow are refused", async () => {
  const shards = [1, 2].map((index) => ids({ sections: [5], shard: { index, of: 2 } }));
  expect([...new Set(shards.flat())].toSorted()).toEqual(ids({ sections: [5] }).toSorted());
  expect(await complaint({ cases: ["AUTH-BEARER"], shard: { index: 1, of: 2 } })).toBe(
    "--shard 1/2: these 1 cases make at most 1 shards",
  );
});

test("shards keep cases of one other configuration together", () => {
  for (const of of [2, 5]) {
    const variants = Array.from({ length: of }, (_, at) => {
      return new Set(select({ shard: { index: at + 1, of } }).flatMap(({ variant }) => variant ?? []));
    });
    const all = variants.flatMap((names) => [...names]);
    expect(all).toEqual([...new Set(all)]);
  }
});
