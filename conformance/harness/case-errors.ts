/** The errors that a case throws; the runner turns each into a result. */
import type { Exchange } from "../http/exchange.ts";
import type { StopName } from "../interface/way.ts";
import { inWords, type Finding } from "./finding.ts";

export class Failure extends Error {
  readonly finding: Finding;
  readonly exchanges: readonly Exchange[];

  constructor(expected: string, actual: string, exchanges: readonly Exchange[] = [], more: Partial<Finding> = {}) {
    super(inWords({ expected, actual }));
    this.exchanges = exchanges;
    this.finding = { ...more, expected, actual, exchanges };
  }
}

export const failureOf = ({ expected, actual, exchanges, ...more }: Finding): Failure =>
  new Failure(expected, actual, exchanges, more);

/** For `catch`: the failure; rethrows anything else. */
export function failureIn(error: unknown): Failure {
  if (error instanceof Failure) return error;
  throw error;
}

/** The case could judge nothing, as its twin or its set-up was not accepted. Never a pass. */
export class Unreached extends Error {
  readonly exchanges: readonly Exchange[];
  /** The stop of a request's way that kept the case from being judged; that of its clause where it is not said. */
  readonly at: StopName | undefined;

  constructor(reason: string, exchanges: readonly Exchange[] = [], at?: StopName) {
    super(reason);
    this.exchanges = exchanges;
    this.at = at;
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

/** For `catch`: false for `NotApplicable`, so that the case goes on without that part; rethrows anything else. */
export function leftOut(error: unknown): false {
  if (error instanceof NotApplicable) return false;
  throw error;
}

/** In each reason of a case that does not apply as the target may have other field names; the report knows it by this. */
export const PROFILE_FIELDS = "the fields that the profile gives";
