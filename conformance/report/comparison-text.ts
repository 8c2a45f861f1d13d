/** A comparison as text: for a terminal, of 80 columns, and as Markdown. */
import { detailsOf, passedIn, type Comparison, type Row } from "./comparison.ts";
import { minuteOf } from "./facts.ts";
import { cell, tableOf } from "./markdown.ts";
import type { Report } from "./report.ts";
import { suiteName } from "./suite-identity.ts";
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

/** Each report, its groups with their counts, and the cases that need a look, in 80 columns. */
export function comparisonText(comparison: Comparison, differences: boolean): string {
  const { by, columns, groups, notes, counts, differing } = comparison;
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
function rowLine({ cells, id }: Row, alike: boolean): string {
  const marks = cells.map((cell) => (cell === undefined ? " " : letters[cell.outcome]).padStart(WIDE)).join("");
  return `${marks}    ${id}${alike ? " (alike)" : ""}`;
}

const details = (row: Row) => detailsOf(row).flatMap(([name, text]) => wrap(text, `    ${name.padEnd(10)}`));

/** For all cases, bytes; GitHub shows no file above 512 KiB. */
const BYTES = 400_000;

/** For a page or a pull request: sections with their counts, and their cases folded. */
export function comparisonMarkdown({ columns, groups, differing }: Comparison, differences: boolean): string {
  const names = columns.map((_, index) => String(index + 1));
  const suites = new Set(columns.map(({ report }) => suiteName(report.suite)));
  const [suite = ""] = suites;
  const lines = [
    suites.size === 1 ? `Every column: suite ${cell(suite)}.` : "The columns come from different suites.",
    "",
    ...tableOf(
      ["column", "target", "profile", "verdict", ...(suites.size === 1 ? [] : ["suite"])],
      columns.map(({ name, report }, index) => [
        names[index] ?? "",
        name,
        report.profile,
        `${report.verdict.partial ? "partial: " : ""}${report.verdict.judgement}`,
        ...(suites.size === 1 ? [] : [suiteName(report.suite)]),
      ]),
    ),
    "",
    "Cases that passed, of those that were judged:",
    "",
    ...tableOf(
      ["section", ...names, "differ"],
      groups.map((group) => [
        group.title,
        ...names.map((_, column) => passedIn(group, column)),
        String(group.rows.filter(({ differs }) => differs).length),
      ]),
    ),
    "",
    `${differing === 0 ? "No case differs" : `${differing} cases differ`}.${differences ? " Only these are listed." : ""} A number tells different failures of one case apart.`,
  ];
  let size = 0;
  let more = 0;
  for (const group of groups) {
    const shown = group.rows
      .map((row) => markdownRow(row, differences))
      .filter((row) => {
        size += Buffer.byteLength(tableOf([], [row]).join(""));
        return size <= BYTES;
      });
    more += group.rows.length - shown.length;
    if (shown.length === 0) continue;
    const summary = `${cell(group.title)}: ${shown.length} of ${group.cases} cases`;
    lines.push(
      "",
      `<details><summary>${summary}</summary>`,
      "",
      ...tableOf(["case", ...names], shown),
      "",
      "</details>",
    );
  }
  if (more > 0) lines.push("", `${more} further cases are left out.`);
  return `${lines.join("\n")}\n`;
}

function markdownRow({ id, cells, differs }: Row, differences: boolean): string[] {
  const failures = [...new Set(cells.flatMap((one) => one?.signature ?? []))];
  const said = (one: Row["cells"][number]) => {
    if (one === undefined) return "absent";
    const kind = failures.length > 1 && one.signature !== undefined ? ` (${failures.indexOf(one.signature) + 1})` : "";
    return `${one.outcome}${kind}`;
  };
  return [differs && !differences ? `${id} (differs)` : id, ...cells.map(said)];
}
