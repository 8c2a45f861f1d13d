/** A comparison as a page: sections or kinds of change that fold, a row for each case, a column for each report. */
import { countsInWords, countsOf } from "../facts.ts";
import { detailsOf, type Comparison, type Group, type Row } from "../comparison.ts";
import { documentOf } from "./document.ts";
import { difference } from "./evidence.ts";
import { filterForm } from "./filter.ts";
import { html, scrolling, section, table, textOf } from "./markup.ts";
import { bar, colourOf, tag } from "./outcomes.ts";

/** For all rows; the page is to stay below 1.5 MB. */
const BYTES = 1_300_000;

export function comparisonPage(comparison: Comparison, differences: boolean): string {
  const { by, columns, groups, notes } = comparison;
  const all = groups.flatMap(({ rows }) => rows);
  let size = 0;
  const fits = (row: Row) => size <= BYTES && (size += Buffer.byteLength(textOf(rowView(row, by)))) <= BYTES;
  const shown = groups.filter(({ rows }) => rows.length > 0).map((group) => ({ group, rows: group.rows.filter(fits) }));
  const more = all.length - shown.reduce((sum, { rows }) => sum + rows.length, 0);
  const body = html`<header class=${`verdict ${colourFor(comparison)}`}>
      <div>
        <p class="judgement">${columns.length} reports side by side</p>
        <h1>${titleOf(comparison)}</h1>
        <p class="rests">${restOf(comparison, differences)}</p>
        ${notes.map((note) => html`<p class="note">${note}</p>`)}
      </div>
    </header>
    <main>
      ${reports(comparison)}
      ${section(
        "cases",
        "Cases",
        more > 0 ? html`<p class="note">The page would be too large with ${more} further cases.</p>` : null,
        by === "section" ? filterForm("id or title, or: differs", "sections") : null,
        html`<div id="list">${shown.map(({ group, rows }) => groupView(group, rows, comparison, differences))}</div>`,
      )}
    </main>`;
  return documentOf(titleOf(comparison), body);
}

const brokenIn = ({ groups }: Comparison) =>
  groups.flatMap(({ rows }) => rows).filter(({ change }) => change === "broken").length;

const colourFor = (comparison: Comparison) =>
  comparison.by === "section" ? "o-known" : brokenIn(comparison) === 0 ? "o-pass" : "o-fail";

function titleOf(comparison: Comparison): string {
  const { by, differing } = comparison;
  if (by === "section") return differing === 0 ? "All cases end alike" : `${differing} cases differ`;
  const broken = brokenIn(comparison);
  return broken === 0 ? "Nothing broke" : `${broken} ${broken === 1 ? "case" : "cases"} broke`;
}

function restOf({ by, groups, counts }: Comparison, differences: boolean): string {
  if (by === "change") return `${counts.join(", ")}.`;
  if (differences) return "Only cases that differ are listed.";
  const cases = groups.reduce((sum, group) => sum + group.cases, 0);
  return `${cases} cases, in the sections of the interface. A section opens to its cases.`;
}

function reports({ columns }: Comparison) {
  const rows = columns.map(({ name, report }, index) => [
    `${index + 1}. ${name}`,
    html`<span class=${`tag ${colourOf(report.verdict.judgement)}`}>${report.verdict.judgement}</span>`,
    report.profile,
    report.suite.version,
    bar(countsOf(report.results)),
  ]);
  const content = table(["report", "verdict", "profile", "suite", "outcomes"], rows);
  return section("reports", "The reports", scrolling("Table of reports", content));
}

function groupView(group: Group, rows: readonly Row[], { by, columns }: Comparison, open: boolean) {
  const differing = rows.filter(({ differs }) => differs).length;
  const isOpen = open || rows.some(({ change }) => by === "change" && (change === "broken" || change === "changed"));
  return html`<details class="case o-known" data-group open=${isOpen}>
    <summary class="section">
      <b>${group.title}</b>
      <span class="level small quiet">${group.cases} cases${by === "section" ? `, ${differing} differ` : ""}</span>
      <span class="title columns">
        ${columns.map((_, index) => {
          const counts = countsOf((group.outcomes[index] ?? []).map((outcome) => ({ outcome })));
          return html`<span class="column"
            ><span class="small">${index + 1}: ${countsInWords(counts)}</span>${bar(counts, 8)}</span
          >`;
        })}
      </span>
    </summary>
    <div class="inside scroll" tabindex="0" role="group" aria-label=${`Cases of ${group.title}`}>
      <table class="matrix">
        <thead>
          <tr>
            <th scope="col">case</th>
            ${columns.map(({ name }, index) => html`<th scope="col" class="column">${index + 1}. ${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map((row) => rowView(row, by))}
        </tbody>
      </table>
    </div>
  </details>`;
}

function rowView(row: Row, by: Comparison["by"]) {
  const { id, title, cells, differs } = row;
  const mark = by === "section" && differs ? " (differs)" : "";
  return html`<tr data-row>
    <th scope="row">
      ${id}${mark}<br /><span class="small quiet">${title}</span>${by === "change" ? detailsView(row) : null}
    </th>
    ${cells.map((cell) => html`<td class="cell">${cell === undefined ? absent : tag(cell.outcome)}</td>`)}
  </tr>`;
}

const absent = html`<span class="quiet small">absent</span>`;

function detailsView(row: Row) {
  const [first, second] = detailsOf(row);
  if (first === undefined) return null;
  if (second === undefined) return html`<p class="quiet">${first[1]}</p>`;
  return difference(first[1], second[1], [first[0], second[0]]);
}
