/** What is wrong with a target, as data: cases, rows, stories and invariants all tell it so, and a report prints it. */
import type { Exchange } from "../http/exchange.ts";
import type { ClauseId } from "../interface/clauses/index.ts";
import type { Combination, StoryReport } from "./outcome.ts";

/** One departure from the interface. A baseline knows it by `expected` and `actual`: both are the same in every run. */
export interface Finding {
  readonly expected: string;
  readonly actual: string;
  /** The clause that it breaks, of a case about several that knows which. */
  readonly clause?: ClauseId | undefined;
  /** `actual` for people: what was seen, and in which answer; `expected` where that can be said with its value. */
  readonly seen?: { readonly what: string; readonly where?: string; readonly expected?: string } | undefined;
  /** Of a row: the smallest combination that fails; empty where every row does. */
  readonly combination?: readonly Combination[] | undefined;
  /** Of a property: the few requests that reproduce it. */
  readonly story?: StoryReport | undefined;
  readonly exchanges?: readonly Exchange[] | undefined;
}

/** `expected 400; got 200 ok:true`. */
export const inWords = ({ expected, actual }: Pick<Finding, "expected" | "actual">): string =>
  `expected ${expected}; got ${actual}`;

/** A finding by a rule of the oracle, whose clause is always known. */
export type Departure = Finding & { readonly clause: ClauseId };

export const departure = (clause: ClauseId, expected: string, actual: string): Departure => ({
  clause,
  expected,
  actual,
});

/** Characters of a value as JSON that a sentence has room for. Nothing is cut: redaction would miss a secret cut in two. */
const LONGEST_VALUE = 60;

/** The finding with the field's right value and the one that is shown, for people; long ones stay as the finding says them. */
export function withValues<F extends Finding>(finding: F, field: string, right: unknown, shown: unknown): F {
  const inWords = (value: unknown, instead: string) => {
    const text = value === undefined ? "" : JSON.stringify(value);
    return text === "" ? `no ${field}` : text.length > LONGEST_VALUE ? instead : `${field}: ${text}`;
  };
  return { ...finding, seen: { expected: inWords(right, finding.expected), what: inWords(shown, finding.actual) } };
}
