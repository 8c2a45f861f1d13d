import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BaselineEntry } from "./baseline/baseline.ts";
import { signatureOf } from "./baseline/signature.ts";
import { cases } from "../catalogue.ts";
import { levelOf, type Case } from "../harness/case.ts";
import { mergeReports, type ReportFile } from "./merge.ts";
import { complaintOf } from "../test-support/complaint.test-support.ts";
import { isNight } from "../test-support/night.test-support.ts";
import { draftWith, resultOfCase } from "../test-support/report.test-support.ts";
import { conclude } from "./make-report.ts";
import type { Report } from "./report.ts";
import type { Outcome } from "../harness/result.ts";
import { selectCases, type Selection } from "../run/selection.ts";

type Came = (item: Case) => Outcome;
const [expected, actual] = ["404 not_found", "200 ok:true"];
const signature = signatureOf(expected, actual);

/** What a run of the real suite would report, each case come out as told. */
function runOf(selection: Selection, came: Came, entries?: readonly BaselineEntry[], more: object = {}): Report {
  const results = selectCases(cases, selection).map((item) => {
    const outcome = came(item) === "fail" && levelOf(item) === "should" ? "warn" : came(item);
    const failed = outcome === "fail" || outcome === "warn";
    // An invariant is in every shard.
    const cost = item.watch === undefined ? { ms: 5, requests: 1 } : { ms: 0, requests: 0 };
    return resultOfCase(item, { outcome, ...cost, ...(failed && { expected, actual }) });
  });
  return conclude({ ...draftWith(results, { suite: cases, selection }), ...more }, entries);
}

function shardsOf(
  of: number,
  came: Came,
  entries?: readonly BaselineEntry[],
  rest: Partial<Selection> = {},
): ReportFile[] {
  return Array.from({ length: of }, (_, at) => {
    const selection = { quick: false, ...rest, shard: { index: at + 1, of } };
    return { file: `s${at + 1}.json`, report: runOf(selection, came, entries) };
  });
}

const passes: Came = () => "pass";
const complaint = async (...merged: Parameters<typeof mergeReports>): Promise<string[]> =>
  (await complaintOf(async () => mergeReports(...merged))).split("\n");

test("merged shards say what the whole run says, whatever came of the cases, in whatever order", () => {
  const outcome = fc.constantFrom<Outcome>("pass", "pass", "pass", "fail", "not-applicable", "unreached", "error");
  const given = fc.record({
    outcomes: fc.array(outcome, { minLength: cases.length, maxLength: cases.length }),
    rare: fc.nat({ max: 40 }),
    of: fc.integer({ min: 1, max: 9 }),
    known: fc.uniqueArray(fc.nat({ max: cases.length - 1 }), { maxLength: 6 }),
    held: fc.boolean(),
  });
  fc.assert(
    fc.property(given, ({ outcomes, rare, of, known, held }) => {
      // Mostly green, so that every verdict comes up.
      const at = new Map(cases.map(({ id }, index) => [id, index < rare ? (outcomes[index] ?? "pass") : "pass"]));
      const came: Came = ({ id }) => at.get(id) ?? "pass";
      const entries = known.map((index) => ({ case: cases[index]?.id ?? "", signature, reason: "why" }));
      const whole = runOf({ quick: false }, came, entries);
      const shards = shardsOf(of, came, held ? entries : undefined).toReversed();
      const merged = mergeReports(shards, cases, held ? undefined : entries);
      expect(merged).toEqual(whole);
    }),
    { numRuns: isNight ? 60 : 8, seed: 7 },
  );
});

test("shards of a filtered or a quick run stay partial when merged", () => {
  const merged = mergeReports(shardsOf(2, passes, undefined, { sections: [8], quick: true }), cases);
  expect(merged.verdict.partial).toBe(true);
  expect(merged.selection).toEqual({ sections: [8], quick: true });
});

test("what the shards saw of the target is put together", () => {
  const shards = shardsOf(2, passes);
  const [first, second] = shards.map(({ report }) => report) as [Report, Report];
  const changed = [
    {
      file: "a",
      report: { ...first, ms: 10, notes: ["n"], capabilities: ["addresses", "clock"], stderrTail: "one\n" },
    },
    {
      file: "b",
      report: { ...second, ms: 30, notes: ["n"], stderrTail: "two\n", startedAt: "2024-01-01T00:00:00.000Z" },
    },
  ];
  expect(mergeReports(changed, cases)).toMatchObject({
    ms: 30,
    startedAt: "2024-01-01T00:00:00.000Z",
    capabilities: ["addresses"],
    notes: ["n"],
    stderrTail: "one\ntwo\n",
  });
});

describe("refused, and why", () => {
  const shards = shardsOf(3, passes);
  const head = "these reports are not the shards of one run:";
  const [one, two, three] = shards as [ReportFile, ReportFile, ReportFile];
  const changed = (more: Partial<Report>): ReportFile[] => [
    one,
    { file: "s2.json", report: { ...two.report, ...more } },
    three,
  ];

  test("a shard that is missing, and one that is there twice", async () => {
    expect(await complaint([one, { ...one, file: "again.json" }], cases)).toEqual([
      head,
      "  shard 1 is there twice: s1.json, again.json",
      "  shard 2 of 3 is missing",
      "  shard 3 of 3 is missing",
    ]);
  });

  test("a report that is no shard, and no report at all", async () => {
    const whole = { file: "whole.json", report: runOf({ quick: false }, passes) };
    expect((await complaint([one, whole], cases))[1]).toMatch(/^ {2}whole\.json is no shard: /);
    expect(await complaint([], cases)).toEqual(["merge needs the reports of all shards"]);
  });

  const suite = { ...two.report.suite, ledger: "000000000000" };
  test.each<[string, Partial<Report>, RegExp]>([
    [
      "target",
      { target: { name: "other", product: "service" } },
      /s2\.json has the target "other", s1\.json has "a gateway"/,
    ],
    ["product", { target: { name: "a gateway", product: "x" } }, /the product "x", s1\.json has "service"/],
    ["profile", { profile: "reference" }, /the profile "reference" \(/],
    ["content of the profile", { profileHash: "000000000000" }, /the profile "spec" \(000000000000\)/],
    ["suite", { suite }, /the suite .* \(ledger 000000000000, /],
    ["choice of cases", { selection: { ...two.report.selection, quick: true } }, /the filters \{"quick":true\}/],
    ["level to fail on", { failOn: "must" }, /--fail-on must, s1\.json has gap/],
    ["notCovered", { notCovered: { "BODY-TIME": "x" } }, /notCovered \{"BODY-TIME":"x"\}/],
    ["number of shards", { selection: { quick: false, shard: { index: 2, of: 4 } } }, /a number of shards 4, /],
  ])("another %s", async (_, more, why) => {
    const [first, fault] = await complaint(changed(more), cases);
    expect(first).toBe(head);
    expect(fault).toMatch(why);
  });

  test("shards that another suite judged than the one that merges", async () => {
    const [, fault] = await complaint(shards, cases.slice(1));
    expect(fault).toMatch(/^ {2}s1\.json was judged by suite .*: merge with the suite that judged$/);
  });

  test("a shard with results taken out or put in", async () => {
    const [lacking] = two.report.results;
    const results = [...two.report.results.slice(1), ...one.report.results.slice(0, 1)];
    expect(await complaint(changed({ results }), cases)).toEqual([
      head,
      `  s2.json lacks results of its shard, or has others: ${lacking?.id}, ${one.report.results[0]?.id}`,
    ]);
  });
});
