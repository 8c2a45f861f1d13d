import { expect, test } from "vitest";
import type { Outcome } from "../../harness/result.ts";
import { applyBaseline, expiringSoon, type FoundResult } from "./apply.ts";
import type { BaselineEntry } from "./baseline.ts";

const signature = "expected 404; got 200";
const entry = (more: Partial<BaselineEntry> = {}): BaselineEntry => ({ case: "A", signature, reason: "why", ...more });
const result = (outcome: Outcome, more: Partial<FoundResult> = {}): FoundResult => ({
  id: "A",
  clauses: [],
  level: "must",
  outcome,
  ...(outcome === "fail" || outcome === "warn" ? { findings: [{ signature }] } : {}),
  ...more,
});
const other = { signature: "expected 404; got 500" };
const DAY = "2026-03-01";
const outcomesOf = (results: readonly FoundResult[]) => results.map(({ outcome }) => outcome);
const faultsOf = ({ faults }: ReturnType<typeof applyBaseline>) => faults.map(({ fault }) => fault);

test.each(["fail", "warn"] as const)("an entry turns the %s that it is about into a known one", (came) => {
  const applied = applyBaseline([entry()], [result(came), result("fail", { id: "B" })], DAY);
  expect(outcomesOf(applied.results)).toEqual(["known", "fail"]);
  expect(applied.results[0]?.findings).toEqual([{ signature, known: true }]);
  expect(applied).toMatchObject({ faults: [], untested: [] });
});

test("another finding of the same case stays red, behind a known one or before it", () => {
  for (const findings of [
    [{ signature }, other],
    [other, { signature }],
  ]) {
    const applied = applyBaseline([entry()], [result("fail", { findings })], DAY);
    expect(outcomesOf(applied.results)).toEqual(["fail"]);
    expect(applied.results[0]?.findings?.filter(({ known }) => known)).toEqual([{ signature, known: true }]);
    expect(faultsOf(applied)).toEqual([]);
  }
  const both = applyBaseline([entry(), entry(other)], [result("fail", { findings: [{ signature }, other] })], DAY);
  expect(outcomesOf(both.results)).toEqual(["known"]);
});

test.each([
  ["the same values", { method: ["PUT"], type: ["none"] }, "known"],
  ["more values than are found", { method: ["PUT", "PATCH"] }, "known"],
  ["fewer values than are found", { type: ["text"] }, "fail"],
  ["a factor that the finding does not need", { method: ["PUT"], route: ["cold"] }, "fail"],
] as const)("an entry with %s: %s is %s", (_, of, outcome) => {
  const combination = Object.entries(of).map(([factor, values]) => ({ factor, values }));
  const found = [
    { factor: "method", values: ["PUT"], right: 3 },
    { factor: "type", values: ["none"], right: 1 },
  ];
  const applied = applyBaseline(
    [entry({ combination })],
    [result("fail", { findings: [{ signature, combination: found }] })],
    DAY,
  );
  expect(outcomesOf(applied.results)).toEqual([outcome]);
});

test("an entry of what is no longer found is stale, in a case that passes and in one that fails otherwise", () => {
  expect(faultsOf(applyBaseline([entry()], [result("pass")], DAY))).toEqual(["stale"]);
  expect(faultsOf(applyBaseline([entry()], [result("fail", { findings: [other] })], DAY))).toEqual(["stale"]);
});

test("where the case ended at another finding, nothing is said of an entry behind it", () => {
  const applied = applyBaseline([entry()], [result("fail", { findings: [other], cut: true })], DAY);
  expect(applied).toMatchObject({ faults: [], untested: ["A"], results: [{ outcome: "fail" }] });
});

test.each([
  ["2026-03-02", "known"],
  ["2026-03-01", "known"],
  ["2026-02-28", "fail"],
])("an entry that expires on %s leaves a case on 2026-03-01 %s", (expires, outcome) => {
  const applied = applyBaseline([entry({ expires })], [result("fail")], DAY);
  expect(outcomesOf(applied.results)).toEqual([outcome]);
  expect(faultsOf(applied)).toEqual(outcome === "fail" ? ["expired"] : []);
});

test.each(["not-applicable", "unreached", "error"] as const)("an entry of a case that is %s is not tested", (came) => {
  const applied = applyBaseline([entry()], [result(came)], DAY);
  expect(applied).toMatchObject({ faults: [], untested: ["A"], results: [{ outcome: came }] });
});

test("an entry of a case that was not run is not put to the test, however old it is", () => {
  const applied = applyBaseline([entry({ expires: "2020-01-01" })], [result("pass", { id: "B" })], DAY);
  expect(applied).toMatchObject({ faults: [], untested: ["A"] });
});

test("in a part of the suite an invariant's entry is not put to the test by what else broke it", () => {
  const never = result("fail", { id: "NEVER-X", findings: [other] });
  const about = entry({ case: "NEVER-X" });
  expect(applyBaseline([about], [never], DAY, true)).toMatchObject({ faults: [], untested: ["NEVER-X"] });
  expect(faultsOf(applyBaseline([about], [never], DAY))).toEqual(["stale"]);
});

test.each([
  ["2026-02-15", "2026-03-01", true],
  ["2026-03-01", "2026-03-01", true],
  ["2026-02-14", "2026-03-01", false],
  ["2026-03-02", "2026-03-01", false],
])("on %s an entry that expires on %s is said to expire soon: %s", (day, expires, isSaid) => {
  const said = expiringSoon([entry({ case: "B" }), entry({ expires })], day);
  expect(said).toBe(isSaid ? `in the baseline, expiring within 14 days: A (accepted until ${expires})` : undefined);
});
