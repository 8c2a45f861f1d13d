/** A departure from the interface that a property found. */
import type { ClauseId } from "../interface/clauses/index.ts";

export interface Departure {
  readonly clause: ClauseId;
  /** `actual` without the values that change from run to run: a baseline compares this text. */
  readonly expected: string;
  readonly actual: string;
}

export const departure = (clause: ClauseId, expected: string, actual: string): Departure => ({
  clause,
  expected,
  actual,
});
