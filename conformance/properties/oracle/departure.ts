/** A departure from the interface that a property found. */
import type { ClauseId } from "../../interface/clauses/index.ts";

export interface Departure {
  readonly clause: ClauseId;
  /** Like `actual` without any value that changes from run to run: a baseline compares the texts. */
  readonly expected: string;
  readonly actual: string;
}

export const departure = (clause: ClauseId, expected: string, actual: string): Departure => ({
  clause,
  expected,
  actual,
});
