/** What changed between two reports, case by case. */
import { describe, expect, test } from "vitest";
import { expectHarmless, wordsOf } from "../test-support/page.test-support.ts";
import { covering, reportWith, resultOf } from "../test-support/report.test-support.ts";
import { everyReport, hostile } from "../test-support/reports.test-support.ts";
import type { CaseResult, Outcome } from "../harness/result.ts";
import { renderDiff } from "./comparisons.ts";
import { changeKinds, diffReports, type ChangeKind } from "./diff.ts";

const ended = (outcome: Outcome, actual = "x"): CaseResult =>
  resultOf({ outcome, ...(outcome === "fail" || outcome === "warn" ? { expected: "y", actual } : { reason: "why" }) });
/** A report where the case is in the baseline. */
const known = (actual = "x") => {
  const { signature = "" } = reportWith([ended("fail", actual)]).results[0] ?? {};
  return reportWith([...covering(), ended("fail", actual)], {
    baseline: [{ case: "FLOW-EXAMPLE", signature, reason: "we know" }],
  });
};
const of = (...results: CaseResult[]) => reportWith([...covering(), ...results]);

test.each<[string, ReturnType<typeof of>, ReturnType<typeof of>, ChangeKind | "alike"]>([
  ["passed and fails", of(ended("pass")), of(ended("fail")), "broken"],
  ["passed and fails as advice", of(ended("pass")), of(ended("warn")), "broken"],
  ["was not reached and fails", of(ended("unreached")), of(ended("fail")), "broken"],
  ["was not applicable and fails", of(ended("not-applicable")), of(ended("fail")), "broken"],
  ["fails as before", of(ended("fail")), of(ended("fail")), "alike"],
  ["fails in another way", of(ended("fail")), of(ended("fail", "z")), "changed"],
  ["fails in another way than the baseline knows", known(), of(ended("fail", "z")), "changed"],
  ["failed and is in the baseline now", of(ended("fail")), known(), "otherwise"],
  ["was in the baseline and is no longer", known(), of(ended("fail")), "otherwise"],
  ["passed and is a known deviation", of(ended("pass")), known(), "otherwise"],
  ["failed and passes", of(ended("fail")), of(ended("pass")), "fixed"],
  ["was known and passes", known(), of(ended("pass")), "fixed"],
  ["failed and is not judged: nobody knows whether it is fixed", of(ended("fail")), of(ended("unreached")), "unjudged"],
  ["passed and is an error of the harness", of(ended("pass")), of(ended("error")), "unjudged"],
  ["was not reached and passes", of(ended("unreached")), of(ended("pass")), "otherwise"],
  ["is new", of(), of(ended("fail")), "new"],
  ["is gone", of(ended("fail")), of(), "gone"],
])("a case that %s", (_, before, after, kind) => {
  const { changes, same } = diffReports(before, after);
  const found = changeKinds.flatMap((one) => (changes[one].length > 0 ? [one] : []));
  expect(found).toEqual(kind === "alike" ? [] : [kind]);
  const isMissing = kind === "new" || kind === "gone";
  expect(same).toBe(covering().length + (kind === "alike" ? 1 : 0));
  if (!isMissing && kind !== "alike") expect(changes[kind][0]).toMatchObject({ id: "FLOW-EXAMPLE" });
});

test("reports that cannot be compared without thought are told so", () => {
  const before = of(ended("pass"));
  expect(diffReports(before, before).notes).toEqual([]);
  const other = { ...before, profile: "mine", clock: "driven" as const, target: { name: "b", product: "service" } };
  expect(diffReports(before, other).notes.map((note) => note.split(":")[0])).toEqual([
    "another target",
    "another profile",
    "another clock",
  ]);
  const part = reportWith([ended("pass")], { unrun: 3 });
  expect(diffReports(part, part).notes).toEqual(["a report of a part of the suite says nothing of the other cases"]);
});

test("the text says what broke and how, and what it is compared with", () => {
  const text = renderDiff("console", of(ended("pass")), of(ended("fail", "z")));
  expect(text).toMatch(/^Broken: fails now, and did not before: 1\n {2}FLOW-EXAMPLE \(pass -> fail\)\n/);
  expect(text).toMatch(/\n {4}expected {2}y\n {4}actual {4}z\n/);
  expect(text).toMatch(/\nbefore: a gateway, .*\nafter: {2}a gateway, /s);
  expect(text).toMatch(/\n1 broken, \d+ alike\n$/);
});

describe.each(Object.entries(everyReport))("the %s report", (_, report) => {
  const other = everyReport["failing"] ?? report;

  test("differs from itself in nothing", () => {
    const { changes, same } = diffReports(report, report);
    expect(changeKinds.flatMap((kind) => changes[kind])).toEqual([]);
    expect(same).toBe(report.results.length);
  });

  test("is compared as text and as a page in which nothing of a target acts", () => {
    for (const pair of [[report, other] as const, [other, report] as const]) {
      const text = renderDiff("console", ...pair);
      // oxlint-disable-next-line no-control-regex
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
      expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
      expectHarmless(renderDiff("html", ...pair));
    }
  });
});

test("a page of many changes stays small", () => {
  const many = Array.from({ length: 2000 }, (_, index) =>
    resultOf({ id: `F-${index}`, outcome: "fail", expected: hostile.repeat(9), actual: `<&"${hostile.repeat(9)}` }),
  );
  const page = renderDiff("html", of(...many.map((one) => ({ ...one, outcome: "pass" as const }))), of(...many));
  expect(Buffer.byteLength(page)).toBeLessThan(1_500_000);
  expect(wordsOf(page)).toContain("2000 cases broke");
});
