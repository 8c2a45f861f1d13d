import { expect, test } from "vitest";
import { cases } from "../catalogue.ts";
import { mergeReports, type ReportFile } from "./merge.ts";
import type { ReplayFile } from "../story/replay-file.ts";
import { conclude, interruptedReport } from "./make-report.ts";
import type { Report } from "./report.ts";
import type { CaseResult } from "../harness/result.ts";
import { draftWith, resultOfCase } from "../test-support/report.test-support.ts";

const selection = { cases: ["PROPERTY-*"], quick: false };
const [order, states] = ["PROPERTY-ORDER", "PROPERTY-STATES"] as const;

const storyOf = (seed: number, actual: string) => ({
  note: `seed ${seed}, run 0`,
  steps: [],
  requests: 2,
  replay: { seed, expected: "a", actual } as ReplayFile,
});

/** The report of one seed, the cases come out as told. */
function runOf(seed: number, came: Record<string, Partial<CaseResult>> = {}, more: object = {}): ReportFile {
  const results = cases
    .filter(({ id }) => id === order || id === states)
    .map((item) => resultOfCase(item, { ms: 5, requests: 100, ...came[item.id] }));
  const draft = { ...draftWith(results, { suite: cases, selection }), depth: { seeds: [seed] }, ...more };
  return { file: `s${seed}.json`, report: conclude(draft, undefined) };
}

const caseResult = { title: "a replay", clauses: [], level: "must" as const, exchanges: [], ms: 5, requests: 100 };

const resultOf = (report: Report, id: string) => report.results.find((result) => result.id === id);
const fails = (seed: number, actual: string) => ({
  outcome: "fail" as const,
  expected: "a",
  actual,
  story: storyOf(seed, actual),
});

test("requests add up, and the report says which seeds it holds, in whatever order they come", () => {
  const shards = [runOf(3), runOf(1), runOf(2)];
  const merged = mergeReports(shards, cases);
  expect(merged.depth).toEqual({ seeds: [1, 2, 3] });
  expect(resultOf(merged, states)).toMatchObject({ outcome: "pass", requests: 300 });
  expect(merged.verdict).toMatchObject({ judgement: "conformant", exitCode: 0 });
  expect(mergeReports(shards.toReversed(), cases)).toEqual(merged);
});

test("what any seed found is found, each fault once", () => {
  const merged = mergeReports(
    [
      runOf(1),
      runOf(2, { [order]: fails(2, "b") }),
      runOf(3, { [order]: fails(3, "b") }),
      runOf(4, { [order]: fails(4, "c") }),
    ],
    cases,
  );
  expect(resultOf(merged, order)).toMatchObject({ outcome: "fail", actual: "b", story: { replay: { seed: 2 } } });
  expect(resultOf(merged, order)?.otherStories).toMatchObject([{ replay: { seed: 4 } }]);
  expect(merged.verdict).toMatchObject({ judgement: "not conformant", exitCode: 1 });
});

test("a failure that the baseline does not know is red, though another seed found the known one first", () => {
  const runs = [runOf(1, { [order]: fails(1, "b") }), runOf(2, { [order]: fails(2, "c") })];
  const entry = { case: order, signature: "expected a; got b", reason: "why" };
  const merged = mergeReports(runs, cases, [entry]);
  expect(resultOf(merged, order)).toMatchObject({ outcome: "fail", actual: "c", story: { replay: { seed: 2 } } });
  expect(resultOf(merged, order)?.otherStories).toMatchObject([{ replay: { seed: 1 } }]);
  expect(merged.verdict.exitCode).toBe(1);
  // Nor does it hide among the stories of reports that were merged before.
  const before = { file: "both.json", report: mergeReports(runs, cases) };
  const later = mergeReports([before, runOf(3)], cases, [entry]);
  expect(resultOf(later, order)).toMatchObject({ outcome: "fail", actual: "c", story: { replay: { seed: 2 } } });
  expect(later.verdict.exitCode).toBe(1);
  expect(mergeReports(runs.slice(0, 1), cases, [entry]).verdict.exitCode).toBe(0);
});

/** The report of one seed that a replay case is in. */
const shown = (seed: number, id: string, outcome: "pass" | "fail") => {
  const { file, report } = runOf(seed);
  const replayed = {
    ...caseResult,
    id,
    outcome,
    ...(outcome === "fail" && { findings: [{ expected: "a", actual: "b", signature: "expected a; got b" }] }),
  };
  return { file, report: { ...report, results: [...report.results, replayed] } };
};

test("replay cases of any report are there", () => {
  const runs = [shown(1, "REPLAY-ONE", "pass"), shown(2, "REPLAY-TWO", "fail"), shown(3, "REPLAY-ONE", "fail")];
  const merged = mergeReports(runs, cases);
  expect(merged.results.slice(2).map(({ id, outcome }) => `${id} ${outcome}`)).toEqual([
    "REPLAY-ONE fail",
    "REPLAY-TWO fail",
  ]);
  expect(merged.verdict.exitCode).toBe(1);
});

test("a state that one seed reached is reached; an error stays one, and so does a seed that no time was left for", () => {
  const reached = mergeReports([runOf(1, { [states]: { outcome: "unreached", reason: "seldom" } }), runOf(2)], cases);
  expect(resultOf(reached, states)?.outcome).toBe("pass");
  for (const open of [{ outcome: "error" }, { outcome: "unreached", late: true }] as const) {
    const wrong = mergeReports([runOf(1), runOf(2, { [states]: { ...open, reason: "why" } })], cases);
    expect(wrong.verdict).toMatchObject({ judgement: "incomplete", exitCode: 4 });
  }
});

test.each([
  ["a seed that is there twice", [runOf(1), runOf(1)], "seed 1 is there twice: s1.json, s1.json"],
  [
    "a run that was interrupted",
    [runOf(1), { ...runOf(2), report: interruptedReport(runOf(2).report, "half of it was judged", 130) }],
    "s2.json is of a run that was interrupted",
  ],
  ["a report without seeds", [runOf(1), runOf(2, {}, { depth: undefined })], "s2.json names no seed"],
  [
    "another target",
    [runOf(1), runOf(2, {}, { target: { name: "other", product: "service" } })],
    's2.json has the target "other"',
  ],
  [
    "another suite",
    [runOf(1), runOf(2, {}, { suite: { version: "9", ledger: "", catalogue: "", cases: 1 } })],
    "the suite 9",
  ],
])("%s is refused", (_, shards, complaint) => {
  expect(() => mergeReports(shards, cases)).toThrow(complaint);
});

test("reports that were merged before tell each fault once as well", () => {
  const both = (seed: number) => {
    const runs = [runOf(seed, { [order]: fails(seed, "b") }), runOf(seed + 1, { [order]: fails(seed + 1, "c") })];
    return { file: `s${seed}-${seed + 1}.json`, report: mergeReports(runs, cases) };
  };
  const merged = mergeReports([both(1), both(3)], cases);
  expect(resultOf(merged, order)).toMatchObject({ actual: "b", requests: 400, story: { replay: { seed: 1 } } });
  expect(resultOf(merged, order)?.otherStories).toMatchObject([{ replay: { seed: 2 } }]);
});
