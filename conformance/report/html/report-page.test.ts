/** The page of a report, read as a browser reads it: nothing of a target acts, and everything can be read without a script. */
import { describe, expect, test } from "vitest";
import { attribute, elementsOf, expectHarmless, wordsOf } from "../../test-support/page.test-support.ts";
import {
  covering,
  draftWith,
  exchangeWith,
  reportWith,
  resultOf,
  secret,
} from "../../test-support/report.test-support.ts";
import { everyReport, hostile } from "../../test-support/reports.test-support.ts";
import { caseOf } from "../../test-support/gateway.test-support.ts";
import { conclude } from "../make-report.ts";
import { safeReport } from "../read.ts";
import type { Report } from "../report.ts";
import { renderHtml } from "./report-page.ts";

const pageOf = (report: Report) => renderHtml(safeReport(report));
const byText = (a: string, b: string) => (a < b ? -1 : 1);
const MOST_BYTES = 1_500_000;

/** What ends a tag, a comment, an attribute or a script, and what runs one. */
const markup =
  `</script><script>alert(1)</script></style></title></pre></textarea>--><!-- "' onload=alert(1) ` +
  `<svg onload=alert(1)> <a href="javascript:alert(1)">x</a> <base href=//x> &lt;b&gt; ${hostile}`;

describe.each(Object.entries(everyReport))("of the %s report", (_, report) => {
  const page = pageOf(report);

  test("has nothing that loads, acts or leads out but what is the kit's own", () => {
    expectHarmless(page);
    expect(page).not.toContain(secret);
  });

  test("says the verdict, the target and each case", () => {
    const words = wordsOf(page);
    expect(words).toContain(report.verdict.judgement);
    const entries = elementsOf(page).filter((element) => attribute(element, "class")?.startsWith("case o-"));
    expect(entries.map((entry) => attribute(entry, "class") ?? "").toSorted(byText)).toEqual(
      report.results.map(({ outcome }) => `case o-${outcome}`).toSorted(byText),
    );
    expect(report.results.filter(({ id }) => !words.includes(id))).toEqual([]);
  });

  test("hides nothing without its script but what needs the script", () => {
    const hidden = elementsOf(page).filter((element) => attribute(element, "hidden") !== undefined);
    const needsScript = (one: (typeof hidden)[number]) =>
      one.tagName === "button" || attribute(one, "role") === "search";
    expect(hidden.filter((one) => !needsScript(one))).toEqual([]);
  });

  test("names its parts for those who do not see them", () => {
    const elements = elementsOf(page);
    expect(attribute(elements[0] as never, "lang")).toBe("en");
    expect(elements.filter(({ tagName }) => tagName === "h1")).toHaveLength(1);
    expect(elements.filter(({ tagName }) => tagName === "main")).toHaveLength(1);
  });
});

describe("markup that a target sends", () => {
  const failing = resultOf({
    id: markup,
    title: markup,
    outcome: "fail",
    reason: markup,
    expected: markup,
    actual: `200 ${markup}`,
    exchanges: [exchangeWith(markup), { ...exchangeWith(markup), fault: markup }],
    story: {
      note: markup,
      steps: [
        { what: markup, answers: [{ answer: markup }], secondAnswers: [{ answer: markup }] },
        { what: markup, answers: [{ answer: markup, sent: { what: markup, from: 0, to: 1 } }] },
      ],
      requests: 1,
    },
    seenIn: [markup],
  });
  const entry = { case: markup, signature: "x", reason: markup, link: "https://example.org/1" };
  const report = reportWith([...covering(), failing, { ...failing }], {
    target: { name: markup, notCovered: { "BODY-TIME": markup } },
    run: { notes: [markup], stderrTail: `${markup}\n${markup}` },
    baseline: [entry, { ...entry, case: "GONE" }],
  });

  test("stays text, in every place that shows it", () => {
    const page = pageOf(report);
    expectHarmless(page);
    expect(wordsOf(page).match(/<\/script><script>alert\(1\)<\/script>/g)?.length).toBeGreaterThan(15);
    expect(page).not.toContain("<script>alert");
  });
});

const big = resultOf({
  id: "FLOW-BIG",
  outcome: "fail",
  expected: '"'.repeat(900),
  actual: `200 ${"&".repeat(900)}`,
  exchanges: Array.from({ length: 6 }, () => exchangeWith('"&'.repeat(600))),
});

test("its size is bounded where 80 cases failed, with much to show of each", () => {
  const page = pageOf(reportWith(Array.from({ length: 80 }, (_, index) => ({ ...big, id: `FLOW-BIG-${index}` }))));
  expect(Buffer.byteLength(page)).toBeLessThan(MOST_BYTES);
  expect(wordsOf(page)).toMatch(/\d+ cases are shown without their exchanges/);
});

test("its size is bounded where properties found many stories, and says how many are left out", () => {
  const story = { steps: [{ what: "get_flow", answers: [{ answer: "500" }] }], requests: 1 };
  const report = reportWith([resultOf({ outcome: "fail", expected: "an answer", actual: "500", story })]);
  const [one] = report.results;
  if (one?.story === undefined) throw new Error("there is no story");
  const page = pageOf({ ...report, results: [{ ...one, otherStories: Array(8).fill(one.story) }] });
  expect(wordsOf(page)).toContain("3 more stories are in the JSON report.");
});

test("its size is bounded where a report has 1,500 cases", () => {
  const [one] = reportWith([big]).results;
  if (one === undefined) throw new Error("there is no result");
  const results = Array.from({ length: 1500 }, (_, index) => ({
    ...one,
    id: `FLOW-${index}`,
    clauses: [`C-${index}`],
    exchanges: [],
  }));
  const page = pageOf({ ...reportWith([big]), results });
  expect(Buffer.byteLength(page)).toBeLessThan(MOST_BYTES);
  expect(wordsOf(page)).toMatch(/too large with\s+\d+\s+further cases; the JSON report has all\s+1500/);
});

test("its size is bounded where every list and text of a report is very long", () => {
  const long = '"<&>'.repeat(5000);
  const many = Array.from({ length: 300 }, () => long.slice(0, 2000));
  const base = reportWith([big]);
  const page = pageOf({
    ...base,
    target: { name: long, product: long },
    profile: long,
    notes: many,
    capabilities: many,
    stderrTail: long,
    notCovered: Object.fromEntries(many.map((text, index) => [`C-${index}`, text])),
    verdict: { ...base.verdict, uncovered: many },
    baseline: {
      entries: many.map((text) => ({ case: text, signature: text, reason: text, link: `https://${text}` })),
      faults: many.map((text) => ({ case: text, fault: "stale" as const, said: text })),
      untested: many,
    },
    results: [
      { ...(base.results[0] as Report["results"][number]), title: long, reason: long, clauses: many, seenIn: many },
    ],
  });
  expect(Buffer.byteLength(page)).toBeLessThan(MOST_BYTES);
  expectHarmless(page);
});

test("a case that did not pass says how it read its clause", () => {
  const suite = ["FLOW-A", "FLOW-B"].map((id) => ({ ...caseOf(id), reading: `The reading of ${id}.` }));
  const results = [resultOf({ id: "FLOW-A", outcome: "fail", expected: "y", actual: "x" }), resultOf({ id: "FLOW-B" })];
  const words = wordsOf(pageOf(conclude(draftWith(results, { suite }), undefined)));
  expect(words).toContain("The reading of FLOW-A.");
  expect(words).not.toContain("The reading of FLOW-B.");
});
