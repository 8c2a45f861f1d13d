/** A departure from the interface that a property found. `expected` and `actual` name no value that changes from run to run. */
import type { ClauseId } from "../interface/clauses/index.ts";

export interface Finding {
  readonly clause: ClauseId;
  readonly expected: string;
  readonly actual: string;
}

export const finding = (clause: ClauseId, expected: string, actual: string): Finding => ({ clause, expected, actual });
