/** What changed between two reports, case by case. */
import { expect, test } from "vitest";
import { covering, reportWith, resultOf } from "../test-support/report.test-support.ts";
import type { CaseResult, Outcome } from "../harness/result.ts";
import { renderComparison } from "./comparisons.ts";
import { compareReports, type ChangeKind } from "./comparison.ts";
import type { Report } from "./report.ts";

const changesIn = (before: Report, after: Report) =>
  compareReports([before, after], "change").groups.flatMap(({ rows }) =>
    rows.map(({ id, change }) => ({ id, change })),
  );
const notesOn = (before: Report, after: Report) => compareReports([before, after], "change").notes;
const alikeIn = (before: Report, after: Report) => compareReports([before, after], "change").counts.at(-1);
const renderDiff = (format: "console" | "html", ...reports: readonly Report[]) =>
  renderComparison(format, compareReports(reports, "change"));

const ended = (outcome: Outcome, actual = "x"): CaseResult =>
  resultOf({ outcome, ...(outcome === "fail" || outcome === "warn" ? { expected: "y", actual } : { reason: "why" }) });
/** A report where the case is in the baseline. */
const known = (actual = "x") => {
  const signature = reportWith([ended("fail", actual)]).results[0]?.findings?.[0]?.signature ?? "";
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
  expect(changesIn(before, after)).toEqual(kind === "alike" ? [] : [{ id: "FLOW-EXAMPLE", change: kind }]);
  expect(alikeIn(before, after)).toBe(`${covering().length + (kind === "alike" ? 1 : 0)} alike`);
});

test("reports that cannot be compared without thought are told so", () => {
  const before = of(ended("pass"));
  expect(notesOn(before, before)).toEqual([]);
  const other = { ...before, profile: "mine", clock: "driven" as const, target: { name: "b", product: "service" } };
  expect(notesOn(before, other).map((note) => note.split(":")[0])).toEqual([
    "another target",
    "another profile",
    "another clock",
  ]);
  const part = reportWith([ended("pass")], { unrun: 3 });
  expect(notesOn(part, part)).toEqual(["a report of a part of the suite says nothing of the other cases"]);
});

test("the text says what broke and how, and what it is compared with", () => {
  const text = renderDiff("console", of(ended("pass")), of(ended("fail", "z")));
  expect(text).toMatch(/^1: a gateway, .*\n2: a gateway, /s);
  expect(text).toMatch(/\n +1\/1 +0\/1 {2}Broken: fails now, and did not before: 1\n +\. +F {4}FLOW-EXAMPLE\n/);
  expect(text).toMatch(/\n {4}expected {2}y\n {4}actual {4}z\n/);
  expect(text).toMatch(/\n1 broken, \d+ alike\n$/);
});

test("a page is red where something broke, which the exit code tells as well", () => {
  const isRed = (after: Report) => renderDiff("html", of(ended("fail")), after).includes('class="verdict o-fail"');
  expect(isRed(of(ended("fail", "z")))).toBe(false);
  expect(isRed(of(ended("fail"), resultOf({ id: "FLOW-OTHER" })))).toBe(false);
  expect(renderDiff("html", of(ended("pass")), of(ended("fail")))).toContain('class="verdict o-fail"');
});

test("a page that lists only what differs says so behind the counts", () => {
  const page = renderComparison("html", compareReports([of(ended("pass")), of(ended("fail"))], "change", true));
  expect(page).toMatch(/1 broken, \d+ alike\. Only cases that differ are listed\./);
});
