/** The suite as tests of a test runner: one run, shared by a test for each case. */
import { cases as suite } from "../catalogue.ts";
import { toldWhole } from "../report/console.ts";
import { painter } from "../report/wrap.ts";
import type { Report, ReportedResult } from "../report/report.ts";
import { selectCases } from "../run/selection.ts";
import { withLastWords } from "../targets/last-words.ts";
import { messageOf } from "../foundation/message-of.ts";
import { StartError } from "../foundation/start-error.ts";
import { reportOn, selectionOf, type ConformanceOptions } from "./run-conformance.ts";
import type { TargetInput } from "./target-input.ts";

/** The whole run happens inside the first test; without `maxMinutes` it gets this many. */
const MAX_MINUTES = 14;
/** The target is stopped, and the report made, within this time after the run, ms. */
const AFTERWARDS_MS = 60_000;
const WATCHED = "no request of these tests ended the target or broke an invariant";
const COMPLETE = "every clause of the interface that must hold was judged";

/** What a test receives from the test runner: the part that the contexts of vitest and node:test share. */
export interface TestContext {
  skip(reason?: string): unknown;
}

export type RegisterTest = (
  name: string,
  options: { readonly timeout: number },
  body: (context: TestContext) => Promise<void>,
) => unknown;

export type RegisterGroup = (name: string, body: () => void) => unknown;

export interface Registration extends Omit<ConformanceOptions, "onResult" | "signal"> {
  readonly target: TargetInput;
  readonly test: RegisterTest;
  /** Puts the tests into a group. */
  readonly describe?: RegisterGroup;
}

export function register({ target, test, describe, ...options }: Registration): void {
  let running: Promise<Report> | undefined;
  // Started by the first test that runs: when the runner's own filter leaves none, no target is started.
  const { maxMinutes = MAX_MINUTES } = options;
  const timeout = maxMinutes * 60_000 + AFTERWARDS_MS;
  const reported = () => (running ??= reportOn(target, { ...options, maxMinutes }));
  const chosen = selectCases(suite, selectionOf(options));
  const registerAll = () => {
    for (const { id, title } of chosen) {
      test(`${id}: ${title}`, { timeout }, async (context) => {
        const report = await reportOf(reported);
        const result = report.results.find((candidate) => candidate.id === id);
        if (result === undefined) throw plainError(`the run gave no result of ${id}`);
        settle(result, report, context);
      });
    }
    if (chosen.length < suite.length) {
      test(WATCHED, { timeout }, async () => {
        const report = await reportOf(reported);
        const { failed } = report.verdict;
        // Invariants that the user has not selected still fail, in this last test.
        const unasked = report.results.filter(
          (one) => failed.includes(one.id) && chosen.every(({ id }) => id !== one.id),
        );
        const told = unasked.map((one) => toldWhole(one, report, painter(false)));
        if (told.length > 0) throw plainError(told.join("\n\n"));
      });
      return;
    }
    test(COMPLETE, { timeout }, async (context) => {
      const { partial, uncovered } = (await reportOf(reported)).verdict;
      const lines = uncovered.map((id) => `  ${id}; or in the target: notCovered: { "${id}": "why" }`);
      if (lines.length > 0) throw plainError(`no case could judge these clauses\n${lines.join("\n")}`);
      if (partial) context.skip("a partial run: no release verdict");
    });
  };
  if (describe === undefined) registerAll();
  else describe(`conformance of ${nameOf(target)}`, registerAll);
}

function nameOf(target: TargetInput): string {
  if (typeof target === "string") return target;
  return "plugin" in target ? (target.name ?? target.plugin) : target.name;
}

/** Passes the test, skips it with the reason, or throws the failure as the command line prints it. */
function settle(result: ReportedResult, report: Report, context: TestContext): void {
  const { id, outcome, reason = "" } = result;
  const { verdict, baseline } = report;
  const fault = baseline?.faults.find((candidate) => candidate.case === id);
  const messages = fault === undefined ? [] : [`The baseline's entry is ${fault.fault}. ${fault.said}`];
  if (verdict.failed.includes(id) || verdict.open.includes(id))
    messages.push(toldWhole(result, report, painter(false)));
  if (messages.length > 0) throw plainError(messages.join("\n\n"));
  const deviation = baseline?.entries.find((entry) => entry.case === id)?.reason;
  if (outcome !== "pass") context.skip(`${outcome}: ${outcome === "known" ? deviation : reason}`);
}

/** An error without a stack trace: the failure is the target's, so the code of the kit does not explain it. */
function plainError(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}

async function reportOf(reported: () => Promise<Report>): Promise<Report> {
  try {
    return await reported();
  } catch (error) {
    if (error instanceof StartError) throw plainError(withLastWords(error));
    throw plainError(messageOf(error));
  }
}
