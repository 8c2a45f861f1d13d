/** What the proof asks of a run: the rules by which `prove` and the tests judge the suite itself. */
import { whyOf, type CaseResult, type Outcome } from "../harness/result.ts";
import { SUITE_FAULT } from "../run/judge.ts";
import type { Different, Subject } from "./subject.ts";

/** The part of a case's result that a worker sends back. */
export interface CaseOutcome {
  readonly id: string;
  readonly outcome: Outcome;
  readonly level: CaseResult["level"];
  readonly reason: string;
}

export function caseOutcomesOf(results: readonly CaseResult[]): CaseOutcome[] {
  return results.map((result) => {
    const { id, outcome, level } = result;
    return { id, outcome, level, reason: whyOf(result).slice(0, 300) };
  });
}

export const redIn = (outcomes: readonly CaseOutcome[]): CaseOutcome[] =>
  outcomes.filter(({ outcome }) => outcome === "fail" || outcome === "warn");

/** Cases that the subject has to fail and did not. */
export function missedBy({ kills }: Subject, outcomes: readonly CaseOutcome[]): CaseOutcome[] {
  const red = redIn(outcomes);
  return outcomes.filter((one) => kills.includes(one.id) && !red.includes(one));
}

/** Outcomes that a lawful subject must not get: no case may fail, and none may stay open. */
export function falseAlarmsIn({ warns = [] }: Different, outcomes: readonly CaseOutcome[]): CaseOutcome[] {
  return outcomes.filter(({ id, outcome }) => {
    const declared = outcome === "warn" && warns.includes(id);
    return !declared && ["fail", "warn", "unreached", "error"].includes(outcome);
  });
}

/** Cases that threw what no case may throw, whatever the target answers. */
export function crashesIn(outcomes: readonly CaseOutcome[]): CaseOutcome[] {
  return outcomes.filter(({ outcome, reason }) => outcome === "error" && reason.startsWith(SUITE_FAULT));
}

/** Required cases that a stub passed: there must be none. */
export function requiredPassesIn(outcomes: readonly CaseOutcome[]): CaseOutcome[] {
  return outcomes.filter(({ outcome, level }) => outcome === "pass" && level === "must");
}
