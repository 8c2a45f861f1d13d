/** Markdown for a CI job's summary: the verdict first, then what is red in the order in which one fixes it, what is known and what was not covered. */
import { clauseOf } from "../interface/clauses/index.ts";
import { troublesOf, type Cause } from "./causes.ts";
import { countsInWords } from "./counts.ts";
import { cell, tableOf } from "./markdown-table.ts";
import { clocksIn, partOf } from "./part.ts";
import type { Report } from "./report.ts";
import { inOneSentence, tellingOf } from "./telling.ts";
import { judgedNothing, NOTHING_JUDGED } from "./verdict.ts";

/** GitHub refuses summaries above 1 MiB for all steps together, bytes. */
const LIMIT = 512 * 1024;

export function renderMarkdown(report: Report): string {
  const { verdict, results, suite, target } = report;
  const partial = verdict.partial ? "partial: " : "";
  const time = (report.ms / 1000).toFixed(1);
  const lines = [
    `## ${partial}${verdict.judgement.toUpperCase()}: ${cell(target.name)} with profile ${cell(report.profile)}`,
    "",
    `${results.length} cases in ${time} s: ${countsInWords(verdict.counts)}. Exit code ${verdict.exitCode}, suite ${cell(suite.version)}.`,
  ];
  if (verdict.partial) lines.push("", `A part only: ${cell(partOf(report))}. This is no release verdict.`);
  if (judgedNothing(verdict.counts)) lines.push("", `${NOTHING_JUDGED}.`);
  const clocks = clocksIn(report);
  if (clocks !== undefined) lines.push("", cell(clocks));
  for (const note of report.notes) lines.push("", `Note: ${cell(note)}`);
  const troubles = troublesOf(report);
  const told = (causes: readonly Cause[]) => causes.flat().map((result) => tellingOf(result, report));
  const failing = troubles.flatMap((trouble) => told(trouble.failing));
  const open = troubles.flatMap((trouble) => told(trouble.open));
  const [first] = [...failing, ...open];
  if (first !== undefined) lines.push("", `First to look at: ${cell(`${first.id}: ${inOneSentence(first)}`)}`);
  const known = (report.baseline?.entries ?? []).filter(({ case: id }) => {
    return results.some((result) => result.id === id && result.outcome === "known");
  });
  const sections: readonly [string, readonly string[], readonly (readonly string[])[]][] = [
    [
      "Failures",
      ["", "case", "broken clause", "expected", "actual"],
      failing.map(({ outcome, id, clause, expected = "", actual = "", only = "" }) => [
        outcome,
        id,
        clause.id,
        expected,
        only === "" ? actual : `${actual}, ${only}`,
      ]),
    ],
    [
      "The baseline is no longer true",
      ["", "case", "what to do"],
      (report.baseline?.faults ?? []).map(({ fault, case: id, said }) => [fault, id, said]),
    ],
    ["Left open", ["", "case", "why"], open.map(({ outcome, id, why = "" }) => [outcome, id, why])],
    ["Clauses not covered", ["clause", "text"], verdict.uncovered.map((id) => [id, clauseOf(id)?.text ?? ""])],
    [
      "Known deviations",
      ["case", "reason", "until", "link"],
      known.map(({ case: id, reason, expires = "", link = "" }) => [id, reason, expires, link]),
    ],
    [
      "Accepted as not covered",
      ["clause", "reason"],
      Object.entries(report.notCovered).map(([id, reason]) => [id, reason]),
    ],
  ];
  for (const [title, head, rows] of sections) lines.push(...table(title, head, rows));
  return `${bounded(lines).join("\n")}\n`;
}

function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  return ["", `### ${title}: ${rows.length}`, "", ...tableOf(head, rows)];
}

function bounded(lines: readonly string[]): string[] {
  let size = 0;
  const kept = lines.filter((line) => (size += Buffer.byteLength(line) + 1) <= LIMIT);
  const left = lines.length - kept.length;
  return left === 0 ? kept : [...kept, "", `${left} more lines are left out; the JSON report has everything.`];
}
