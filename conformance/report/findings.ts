/** What a failure found, for lists and formats that have one line for it. */
import { grouped } from "../foundation/grouped.ts";
import { number } from "./facts.ts";
import type { ReportedFinding, ReportedResult } from "./report.ts";

type Found = Pick<ReportedResult, "findings">;

/** The finding that is told first: the first that is new. */
export const firstFinding = ({ findings = [] }: Found) => findings.find(({ known }) => known !== true) ?? findings[0];

export const firstOfEach = <T>(values: readonly T[], keyOf: (value: T) => string): T[] =>
  [...grouped(values, keyOf).values()].flatMap(([first]) => first ?? []);

/** `null (400, 401)`: each way that was seen, with the answers that it was seen in. */
export function waysIn(findings: readonly Pick<ReportedFinding, "actual" | "seen">[]): string {
  const ways = grouped(findings, ({ actual, seen }) => seen?.what ?? actual);
  const told = [...ways].map(([what, alike]) => {
    const where = alike.flatMap(({ seen }) => seen?.where || []);
    return where.length === 0 ? what : `${what} (${where.join(", ")})`;
  });
  return told.join("; ");
}

/** What the properties found: the story that is told first, then those of other seeds. */
export const storiesOf = ({ story, otherStories = [] }: Pick<ReportedResult, "story" | "otherStories">) =>
  story === undefined ? otherStories : [story, ...otherStories];

export const findingKey = ({ signature, combination }: Pick<ReportedFinding, "signature" | "combination">): string =>
  JSON.stringify([signature, combination]);

/** What each finding is known by; none for a result that is no failure. */
export const signaturesOf = ({ findings = [] }: Found): string[] => findings.map(({ signature }) => signature);

/** `expected 401; got 200 (and 2 more findings)`; of the findings the first that is new. Undefined where nothing was found. */
export function headlineOf({ findings = [] }: Found): string | undefined {
  const first = firstFinding({ findings });
  return first && first.signature + moreOf({ findings });
}

/** ` (and 2 more findings, 1 known)`; empty for a single one. */
export function moreOf({ findings = [] }: Found): string {
  const more = findings.length - 1;
  if (more < 1) return "";
  const known = findings.every((one) => one.known) ? 0 : findings.filter((one) => one.known).length;
  return ` (and ${number(more, "more finding")}${known === 0 ? "" : `, ${known} known`})`;
}
