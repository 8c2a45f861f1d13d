/** Markdown for a CI job's summary: the verdict first, then what is red in the order in which one fixes it, what is known and what was not covered. */
import { clauseOf } from "../interface/clauses/index.ts";
import { troublesOf, type Cause } from "./causes.ts";
import { countsInWords, judgementOf, number, remarksOn, secondsOf } from "./facts.ts";
import type { Report } from "./report.ts";
import { inOneSentence, tellingOf } from "./telling.ts";

/** GitHub refuses summaries above 1 MiB for all steps together, bytes. */
const LIMIT = 512 * 1024;

export function renderMarkdown(report: Report): string {
  const { verdict, results, suite, target } = report;
  const lines = [
    `## ${judgementOf(report)}: ${cell(target.name)} with profile ${cell(report.profile)}`,
    "",
    `${number(results.length, "case")} in ${secondsOf(report)}: ${countsInWords(verdict.counts)}. Exit code ${verdict.exitCode}, suite ${cell(suite.version)}.`,
  ];
  for (const remark of remarksOn(report)) lines.push("", cell(remark));
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

const LONGEST_CELL = 300;

/** A table of Markdown whose cells hold texts of a target. */
function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [row(head), row(head.map(() => "---")), ...rows.map((cells) => row(cells.map(cell)))];
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** A target's text on one line, all markup escaped. */
function cell(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}\p{Cf}\p{Cs}]+/gu, " ").trim();
  const short = line.length > LONGEST_CELL ? `${line.slice(0, LONGEST_CELL).replace(/\p{Cs}$/u, "")}...` : line;
  // A dot between words makes a link of www.example.org.
  return short.replaceAll(/[\\`*_{}[\]<>#!|&~:@$"]|(?<=www)\./gi, (mark) => `&#${mark.charCodeAt(0)};`);
}
