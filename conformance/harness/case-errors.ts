/** The errors that a case throws; the runner turns each into a result. */
import type { Exchange } from "../http/exchange.ts";
import type { ClauseId } from "../interface/clauses/index.ts";
import type { Combination, StoryReport } from "./outcome.ts";

/** The target departs from the clause. `expected` and `actual` name no value that changes from run to run. */
export class Failure extends Error {
  readonly expected: string;
  readonly actual: string;
  readonly exchanges: readonly Exchange[];
  /** Of a row: the smallest combination that fails; empty where every row does. */
  readonly combination?: readonly Combination[];
  /** The clause that it breaks, where the case is about several and knows which. */
  readonly clause?: ClauseId;

  constructor(expected: string, actual: string, exchanges: readonly Exchange[] = []) {
    super(`expected ${expected}; got ${actual}`);
    this.expected = expected;
    this.actual = actual;
    this.exchanges = exchanges;
  }
}

/** The failure that was thrown; throws what is none. */
export function failureIn(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

/** A failure with the few requests that reproduce it. */
export class StoryFailure extends Failure {
  readonly story: StoryReport;

  constructor(expected: string, actual: string, story: StoryReport, exchanges: readonly Exchange[]) {
    super(expected, actual, exchanges);
    this.story = story;
  }
}

/** The case could judge nothing, as its twin or its set-up was not accepted. Never a pass. */
export class Unreached extends Error {
  readonly exchanges: readonly Exchange[];

  constructor(reason: string, exchanges: readonly Exchange[] = []) {
    super(reason);
    this.exchanges = exchanges;
  }
}

/** The clause does not apply to this target, or the profile does not bind the gap. */
export class NotApplicable extends Error {}

/** Whether another try may end otherwise: an answer was lost, or the time ran out. */
export function isTransient(error: unknown): boolean {
  if (error instanceof Unreached || error instanceof Failure)
    return error.exchanges.some(({ answer }) => answer === undefined);
  return !(error instanceof NotApplicable);
}

/** False for a part of a case that does not apply to this target; throws anything else. */
export function leftOut(error: unknown): false {
  if (error instanceof NotApplicable) return false;
  throw error;
}

/** In each reason of a case that does not apply as the target may have other field names; the report knows it by this. */
export const PROFILE_FIELDS = "the fields that the profile gives";
