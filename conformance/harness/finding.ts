/** What is wrong with a target, as data: cases, rows, stories and invariants all tell it so, and a report prints it. */
import type { Exchange } from "../http/exchange.ts";
import type { ClauseId } from "../interface/clauses/index.ts";
import type { FindingFacts } from "./outcome.ts";

/** One departure from the interface. A baseline knows it by `expected` and `actual`: both are the same in every run. */
export interface Finding extends Omit<FindingFacts, "clause"> {
  readonly clause?: ClauseId | undefined;
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

/** Beyond ASCII as escapes: of two texts that look the same those tell which is which. */
const escaped = (text: string): string =>
  text.replaceAll(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

const json = (value: unknown): string => (value === undefined ? "" : JSON.stringify(value));

const looksLike = (one: string, other: string): boolean => one.normalize("NFKC") === other.normalize("NFKC");

/** The finding with the field's right value and the one that is shown, for people; long ones stay as the finding says them. */
export function withValues<F extends Finding>(finding: F, field: string, right: unknown, shown: unknown): F {
  const areAlike = looksLike(json(right), json(shown));
  const inWords = (value: unknown, instead: string) => {
    const text = areAlike ? escaped(json(value)) : json(value);
    return text === "" ? `no ${field}` : text.length > LONGEST_VALUE ? instead : `${field}: ${text}`;
  };
  return { ...finding, seen: { expected: inWords(right, finding.expected), what: inWords(shown, finding.actual) } };
}
