/** A comparison as a page: sections or kinds of change that fold, a row for each case, a column for each report. */
import { detailsOf, passedIn, type Comparison, type Group, type ComparedRow } from "../comparison.ts";
import { countsInWords, number } from "../facts.ts";
import { difference } from "./evidence.ts";
import { colourOf, documentOf, html, scrolling, section, table, tag, markupText, type Markup } from "./markup.ts";

/** For all rows; the page is to stay below 1.5 MB. */
const BYTES = 1_300_000;

const ONLY_DIFFERENT = "Only cases that differ are listed.";

export function comparisonPage(comparison: Comparison): string {
  const { by, differences, columns, groups, notes, counts, differing } = comparison;
  const all = groups.flatMap(({ rows }) => rows);
  let size = 0;
  const fits = (row: ComparedRow) =>
    size <= BYTES && (size += Buffer.byteLength(markupText(html`${cellsOf(row, by)}`))) <= BYTES;
  const shown = groups.filter(({ rows }) => rows.length > 0).map((group) => ({ group, rows: group.rows.filter(fits) }));
  const more = all.length - shown.reduce((sum, { rows }) => sum + rows.length, 0);
  const title =
    differing === 0 ? "All cases end alike" : `${number(differing, "case")} ${differing === 1 ? "differs" : "differ"}`;
  const said = [...(counts.length > 0 ? [counts.join(", ")] : []), ...(differences ? [ONLY_DIFFERENT] : [])];
  // Red where the command exits with 1.
  const isRed = by === "change" && all.some(({ change }) => change === "broken");
  const body = html`<header class=${`verdict ${isRed ? "o-fail" : "o-known"}`}>
      <div>
        <p class="judgement">${columns.length} reports side by side</p>
        <h1>${title}</h1>
        <p class="rests">${said.join(". ")}</p>
        ${notes.map((note) => html`<p class="note">${note}</p>`)}
      </div>
    </header>
    <main>
      ${section("reports", "The reports", scrolling("Table of reports", reports(comparison)))}
      ${section(
        "cases",
        "Cases",
        more > 0 ? html`<p class="note">The page would be too large with ${number(more, "further case")}.</p>` : null,
        html`<div>${shown.map(({ group, rows }) => groupView(group, rows, comparison))}</div>`,
      )}
    </main>`;
  return documentOf(title, body);
}

const isWorse = ({ change }: ComparedRow) => change === "broken" || change === "changed";

function reports({ columns }: Comparison) {
  const rows = columns.map(({ name, report }, index) => [
    `${index + 1}. ${name}`,
    html`<span class=${`tag ${colourOf(report.verdict.judgement)}`}>${report.verdict.judgement}</span>`,
    report.profile,
    report.suite.version,
    countsInWords(report.verdict.counts),
  ]);
  return table(["report", "verdict", "profile", "suite", "outcomes"], rows);
}

function groupView(group: Group, rows: readonly ComparedRow[], { by, columns, differences }: Comparison) {
  const passed = columns.map((_, index) => `${index + 1}: ${passedIn(group, index)}`).join(", ");
  const content = table(
    ["case", ...columns.map(({ name }, index) => `${index + 1}. ${name}`)],
    rows.map((row) => cellsOf(row, by)),
  );
  return html`<details class="group" open=${differences || (by === "change" && rows.some(isWorse))}>
    <summary>
      <h3>${group.title}: ${group.cases}</h3>
      <span class="small quiet"> (passed ${passed})</span>
    </summary>
    ${scrolling(`Cases of ${group.title}`, content)}
  </details>`;
}

function cellsOf(row: ComparedRow, by: Comparison["by"]): Markup[] {
  const { id, title, cells, differs } = row;
  const mark = by === "section" && differs ? " (differs)" : "";
  return [
    html`${id}${mark}<br /><span class="small quiet">${title}</span>${by === "change" ? detailsView(row) : null}`,
    ...cells.map((cell) => (cell === undefined ? html`<span class="quiet small">absent</span>` : tag(cell.outcome))),
  ];
}

function detailsView(row: ComparedRow) {
  const [first, second] = detailsOf(row);
  if (first === undefined) return null;
  if (second === undefined) return html`<p class="quiet">${first[1]}</p>`;
  return difference(first[1], second[1], [first[0], second[0]]);
}
