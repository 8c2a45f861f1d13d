import { expect, test } from "vitest";
import type { Level } from "../interface/level.ts";
import { clauseIds, ledger, type ClauseId } from "../interface/clauses/index.ts";
import type { CaseResult, Outcome } from "../harness/result.ts";
import { resultOf } from "../test-support/report.test-support.ts";
import { interruptedReport } from "./make-report.ts";
import type { Report } from "./report.ts";
import { failOnLevels, verdictOf, type FailOn } from "./verdict.ts";

const judgedFromOutside = clauseIds.filter((id) => ledger[id].level === "must" && ledger[id].excluded === undefined);

const result = (outcome: Outcome, level: Level = "must", more: Partial<CaseResult> = {}): CaseResult =>
  resultOf({ id: `${outcome}-${level}`.toUpperCase(), clauses: [], level, outcome, ...more });

/** Passes that cover every clause, but for some. */
const covering = (...without: ClauseId[]): CaseResult[] =>
  judgedFromOutside.filter((id) => !without.includes(id)).map((id) => result("pass", "must", { id, clauses: [id] }));

interface Given {
  readonly notCovered?: Record<string, string>;
  readonly failOn?: FailOn;
  /** Cases of the suite that were not run. */
  readonly unrun?: number;
  readonly baselineFaults?: number;
}

function verdict(results: readonly CaseResult[], given: Given = {}) {
  const { notCovered = {}, failOn = "gap", unrun = 0, baselineFaults = 0 } = given;
  return verdictOf({ suiteSize: results.length + unrun, results, notCovered, failOn, baselineFaults });
}

const conformant = { judgement: "conformant", exitCode: 0 };
const notConformant = { judgement: "not conformant", exitCode: 1 };
const incomplete = { judgement: "incomplete", exitCode: 4 };

test("a whole run in which every clause has a pass is conformant", () => {
  const found = verdict(covering());
  expect(found).toMatchObject({ ...conformant, partial: false, failed: [], open: [], uncovered: [] });
  expect(found.counts).toMatchObject({ pass: judgedFromOutside.length, fail: 0 });
});

const table: [Outcome, Level, Record<FailOn, object>][] = [
  ["fail", "must", { must: notConformant, gap: notConformant, should: notConformant }],
  ["fail", "gap", { must: conformant, gap: notConformant, should: notConformant }],
  ["warn", "should", { must: conformant, gap: conformant, should: notConformant }],
  ["known", "must", { must: conformant, gap: conformant, should: conformant }],
  ["not-applicable", "must", { must: conformant, gap: conformant, should: conformant }],
  ["unreached", "must", { must: incomplete, gap: incomplete, should: incomplete }],
  ["unreached", "gap", { must: incomplete, gap: incomplete, should: incomplete }],
  ["error", "should", { must: incomplete, gap: incomplete, should: incomplete }],
];
for (const [outcome, level, expected] of table) {
  test.each(failOnLevels)(`with a ${outcome} of a ${level}, failing on %s`, (failOn) => {
    expect(verdict([...covering(), result(outcome, level)], { failOn })).toMatchObject(expected[failOn]);
  });
}

test("in a whole run a failure weighs more than what is open", () => {
  const results = (["fail", "unreached", "error"] as const).map((outcome) => result(outcome, "must", { id: outcome }));
  expect(verdict(results)).toMatchObject({ ...notConformant, failed: ["fail"], open: ["unreached", "error"] });
});

test.each(failOnLevels)("a whole run with a baseline that is no longer true is red, failing on %s", (failOn) => {
  expect(verdict(covering(), { baselineFaults: 1, failOn })).toMatchObject({ ...notConformant, failed: [] });
});

test("in a whole run no result at all is no conformance", () => {
  expect(verdict([])).toMatchObject({ ...incomplete, uncovered: judgedFromOutside });
});

const clause = "BODY-TIME";
const rest = covering(clause);
const other = (outcome: Outcome, level: Level = "must") => [...rest, result(outcome, level, { clauses: [clause] })];

test.each([
  ["no case", rest],
  ["a case that does not apply", other("not-applicable")],
  ["a case that was left open", other("unreached")],
  ["a harness error", other("error")],
  ["a warning", other("warn", "should")],
])("a clause without a pass with %s is uncovered", (_, results) => {
  expect(verdict(results)).toMatchObject({ ...incomplete, uncovered: [clause] });
});

test("a clause without a pass with a reason in the target file is accepted", () => {
  const notCovered = { [clause]: "the proxy in front closes first" };
  expect(verdict(rest, { notCovered })).toMatchObject({ ...conformant, uncovered: [] });
});

test("a clause without a pass that is a known deviation is judged", () => {
  expect(verdict(other("known"))).toMatchObject(conformant);
});

test("a clause without a pass that no case can judge from outside, or that is no must, is not asked for", () => {
  const open = clauseIds.filter((id) => !judgedFromOutside.includes(id));
  expect(open).toEqual(expect.arrayContaining(["SERVICE-HOSTED", "TRACKED-KEYS"]));
  expect(verdict(covering()).uncovered).toEqual([]);
});

test("a part of the suite says so and claims no clause uncovered", () => {
  expect(verdict([result("pass")], { unrun: 3 })).toMatchObject({ ...conformant, partial: true, uncovered: [] });
});

test("a part of the suite is partial too where a quick run left something out", () => {
  const quick = result("not-applicable", "must", { leftOut: true });
  expect(verdict([result("pass"), quick])).toMatchObject({ ...conformant, partial: true, uncovered: [] });
});

test("a part of the suite of which no case applies has judged nothing, which is no conformance", () => {
  const results = [result("not-applicable"), result("not-applicable", "must", { leftOut: true })];
  expect(verdict(results, { unrun: 3 })).toMatchObject({ ...incomplete, partial: true, open: [], uncovered: [] });
});

test("a part of the suite is no more of it for the replay files that were sent again, and covers no clause by them", () => {
  const replays = ["a", "b"].map((file) => result("pass", "must", { file, clauses: ["BODY-TIME"] }));
  const suiteSize = covering().length;
  const judged = (results: readonly CaseResult[]) =>
    verdictOf({ suiteSize, results: [...results, ...replays], notCovered: {}, failOn: "gap" });
  expect(judged(covering("BODY-TIME"))).toMatchObject({ ...conformant, partial: true });
  expect(judged(covering())).toMatchObject({ ...conformant, partial: false });
  const twice = result("pass", "must", { clauses: [] });
  expect(judged([...covering("BODY-TIME"), twice])).toMatchObject({ ...incomplete, uncovered: ["BODY-TIME"] });
  expect(judged([...covering(), result("fail", "must", { file: "c" })])).toMatchObject(notConformant);
});

test.each([129, 130, 131, 143] as const)("a run that a signal ended with %d claims nothing", (exitCode) => {
  const last = { judgement: "interrupted", exitCode, partial: true, uncovered: [] };
  const ended = (...results: Parameters<typeof verdict>) =>
    interruptedReport({ notes: [], verdict: verdict(...results) } as unknown as Report, "", exitCode).verdict;
  expect(ended(covering())).toMatchObject(last);
  expect(ended([result("fail")])).toMatchObject({ ...last, failed: ["FAIL-MUST"] });
});
