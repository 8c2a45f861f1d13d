/** A comparison in each of its forms: a page, or text of 80 columns, which may be Markdown. */
import { withoutCommands } from "../foundation/safe-text.ts";
import { detailsOf, passedIn, type Comparison, type ComparedRow } from "./comparison.ts";
import { minuteOf } from "./facts.ts";
import type { Report } from "./report.ts";
import { comparisonPage } from "./html/comparison-page.ts";
import { codeBlock, wrap } from "./wrap.ts";

const formats = {
  console: comparisonText,
  html: comparisonPage,
  markdown: (comparison: Comparison) => codeBlock(comparisonText(comparison)),
} as const;

export const renderComparison = (format: keyof typeof formats, comparison: Comparison): string =>
  withoutCommands(formats[format](comparison));

const letters = {
  pass: ".",
  fail: "F",
  warn: "w",
  known: "k",
  "not-applicable": "-",
  unreached: "u",
  error: "E",
} as const;

/** Each report, its groups with their counts, and the cases that need a look, in 80 columns. */
function comparisonText(comparison: Comparison): string {
  const { by, differences, columns, groups, notes, counts, differing } = comparison;
  const numbers = columns.map((_, index) => String(index + 1));
  const lines = [
    ...columns.flatMap(({ report }, index) => wrap(headline(report), `${numbers[index]}: `)),
    ...notes.flatMap((note) => wrap(note, "note: ", 6)),
    "",
    `${numbers.map((number) => number.padStart(WIDE)).join("")}  passed of what was judged`,
  ];
  for (const group of groups) {
    const passed = numbers.map((_, column) => passedIn(group, column).padStart(WIDE)).join("");
    lines.push(`${passed}  ${group.title}${by === "change" ? `: ${group.cases}` : ""}`);
    for (const row of group.rows) {
      if (by === "change" || differences || row.cells.some((cell) => cell?.outcome !== "pass"))
        lines.push(rowLine(row, by === "section" && !row.differs), ...(by === "change" ? details(row) : []));
    }
  }
  if (differing === 0) lines.push("  no case differs");
  lines.push("", "F fail, w warn, k known, u unreached, E error, - not applicable, . pass, blank: absent");
  if (counts.length > 0) lines.push(...wrap(counts.join(", "), "", 2));
  return `${lines.join("\n")}\n`;
}

function headline(report: Report): string {
  const { target, profile, suite, verdict } = report;
  const partial = verdict.partial ? "partial: " : "";
  return `${target.name}, profile ${profile}, suite ${suite.version}, ${minuteOf(report)} UTC: ${partial}${verdict.judgement}`;
}

const WIDE = 9;

/** Not broken to 80 columns: a row of a table is one line. */
function rowLine({ cells, id }: ComparedRow, alike: boolean): string {
  const marks = cells.map((cell) => (cell === undefined ? " " : letters[cell.outcome]).padStart(WIDE)).join("");
  return `${marks}    ${id}${alike ? " (alike)" : ""}`;
}

const details = (row: ComparedRow) => detailsOf(row).flatMap(([name, text]) => wrap(text, `    ${name.padEnd(10)}`));
