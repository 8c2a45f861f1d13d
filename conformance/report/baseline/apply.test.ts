import { expect, test } from "vitest";
import type { JudgedResult, Outcome } from "../../harness/result.ts";
import { applyBaseline, expiringSoon } from "./apply.ts";
import type { BaselineEntry } from "./baseline.ts";

const signature = "expected 404; got 200";
const entry = (more: Partial<BaselineEntry> = {}): BaselineEntry => ({ case: "A", signature, reason: "why", ...more });
const result = (outcome: Outcome, more: Partial<JudgedResult> = {}): JudgedResult => ({
  id: "A",
  clauses: [],
  level: "must",
  outcome,
  ...(outcome === "fail" || outcome === "warn" ? { signature } : {}),
  ...more,
});
const DAY = "2026-03-01";

test.each(["fail", "warn"] as const)("an entry turns the %s it knows into a known one, its signature kept", (came) => {
  const applied = applyBaseline([entry()], [result(came), result("fail", { id: "B" })], DAY);
  expect(applied.results.map(({ outcome }) => outcome)).toEqual(["known", "fail"]);
  expect(applied.results[0]).toMatchObject({ signature });
  expect(applied).toMatchObject({ faults: [], untested: [] });
});

test.each([
  ["2026-03-02", "known"],
  ["2026-03-01", "known"],
  ["2026-02-28", "fail"],
])("an entry that expires on %s leaves a case on 2026-03-01 %s", (expires, outcome) => {
  const applied = applyBaseline([entry({ expires })], [result("fail")], DAY);
  expect(applied.results.map((one) => one.outcome)).toEqual([outcome]);
  expect(applied.faults.map(({ fault }) => fault)).toEqual(outcome === "fail" ? ["expired"] : []);
});

test.each(["not-applicable", "unreached", "error"] as const)("an entry of a case that is %s is not tested", (came) => {
  const applied = applyBaseline([entry()], [result(came)], DAY);
  expect(applied).toMatchObject({ faults: [], untested: ["A"], results: [{ outcome: came }] });
});

test("an entry of a case that was not run is not put to the test, however old it is", () => {
  const applied = applyBaseline([entry({ expires: "2020-01-01" })], [result("pass", { id: "B" })], DAY);
  expect(applied).toMatchObject({ faults: [], untested: ["A"] });
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
