/** A comparison as Markdown, for a page or a pull request: sections with their counts, and their cases folded. */
import { cell, tableOf } from "./markdown-table.ts";
import { passedIn, type Comparison, type Row } from "./comparison.ts";
import { suiteName } from "./suite-identity.ts";

/** For all cases; GitHub shows no file above 512 KiB. */
const BYTES = 400_000;

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
      .map((row) => rowOf(row, differences))
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

function rowOf({ id, cells, differs }: Row, differences: boolean): string[] {
  const failures = [...new Set(cells.flatMap((one) => one?.signature ?? []))];
  const said = (one: Row["cells"][number]) => {
    if (one === undefined) return "absent";
    const kind = failures.length > 1 && one.signature !== undefined ? ` (${failures.indexOf(one.signature) + 1})` : "";
    return `${one.outcome}${kind}`;
  };
  return [differs && !differences ? `${id} (differs)` : id, ...cells.map(said)];
}
