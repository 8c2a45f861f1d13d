/** A matrix of reports as text of 80 columns: sections with their counts, and the cases that some report did not pass. */
import { passedIn, type Matrix, type MatrixRow } from "./matrix.ts";
import { headline } from "./diff-console.ts";
import { wrap } from "./wrap.ts";

/** One letter for each outcome. */
const letters = {
  pass: ".",
  fail: "F",
  warn: "w",
  known: "k",
  "not-applicable": "-",
  unreached: "u",
  error: "E",
} as const;

/** `differences`: the matrix lists only cases that differ. */
export function renderMatrixConsole({ columns, sections }: Matrix, differences: boolean): string {
  const names = columns.map((_, index) => String(index + 1));
  const lines = columns.flatMap(({ report }, index) => wrap(headline(report), `${names[index]}: `));
  lines.push("", `${names.map((name) => name.padStart(WIDE)).join("")}  passed of what was judged, by section`);
  for (const section of sections) {
    const counts = names.map((_, column) => passedIn(section, column).padStart(WIDE)).join("");
    lines.push(`${counts}  ${section.title}`);
    for (const row of section.rows) {
      if (differences || row.cells.some((cell) => cell?.outcome !== "pass")) lines.push(rowLine(row));
    }
  }
  if (sections.every(({ rows }) => rows.every(({ differs }) => !differs))) lines.push("  no case differs");
  lines.push("", "F fail, w warn, k known, u unreached, E error, - not applicable, . pass, blank: absent");
  return `${lines.join("\n")}\n`;
}

const WIDE = 9;

/** Not broken to 80 columns: a row of a table is one line. */
function rowLine({ cells, id, differs }: MatrixRow): string {
  const marks = cells.map((cell) => (cell === undefined ? " " : letters[cell.outcome]).padStart(WIDE)).join("");
  return `${marks}    ${id}${differs ? "" : " (alike)"}`;
}
