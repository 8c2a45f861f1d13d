/** Several reports side by side as a page: sections that fold, a row for each case, a column for each report. */
import type { Matrix, MatrixRow, MatrixSection } from "../matrix.ts";
import { cutText } from "./cut.ts";
import { documentOf } from "./document.ts";
import { filterEnd } from "./filter-end.ts";
import { html, textOf } from "./markup.ts";
import { bar, colourOf, countsOf, outcomeOrder, tag } from "./outcomes.ts";

/** For all rows; the page is to stay below 1.5 MB. */
const BYTES = 1_300_000;

/** `differences`: the matrix lists only cases that differ. */
export function renderMatrixHtml(matrix: Matrix, differences: boolean): string {
  const { columns, sections } = matrix;
  const all = sections.flatMap(({ rows }) => rows);
  const differing = all.filter(({ differs }) => differs).length;
  let size = 0;
  const fits = (row: MatrixRow) => size <= BYTES && (size += Buffer.byteLength(textOf(rowView(row)))) <= BYTES;
  const shown = sections
    .filter(({ rows }) => rows.length > 0)
    .map((section) => ({ section, rows: section.rows.filter(fits) }));
  const more = all.length - shown.reduce((sum, { rows }) => sum + rows.length, 0);
  const body = html`<header class="verdict o-known">
      <div>
        <p class="judgement">${columns.length} reports side by side</p>
        <h1>${differing === 0 ? "All cases end alike" : `${differing} cases differ`}</h1>
        <p class="rests">
          ${
            differences
              ? "Only cases that differ are listed."
              : `${all.length} cases, in the sections of the interface. A section opens to its cases.`
          }
        </p>
      </div>
    </header>
    <main>
      ${reports(matrix)}
      <section aria-labelledby="cases">
        <h2 id="cases">Cases</h2>
        ${more > 0 ? html`<p class="note">The page would be too large with ${more} further cases.</p>` : null}
        ${filter()}
        <div id="list">${shown.map(({ section, rows }) => group(section, rows, matrix, differences))}</div>
      </section>
    </main>`;
  return documentOf(`Matrix of ${columns.length} reports`, body);
}

function reports({ columns }: Matrix) {
  return html`<section aria-labelledby="reports">
    <h2 id="reports">The reports</h2>
    <div class="scroll" tabindex="0" role="group" aria-label="Table of reports">
      <table>
        <thead>
          <tr>
            <th scope="col" class="number">no.</th>
            <th scope="col">report</th>
            <th scope="col">verdict</th>
            <th scope="col">profile</th>
            <th scope="col">suite</th>
            <th scope="col">outcomes</th>
          </tr>
        </thead>
        <tbody>
          ${columns.map(
            ({ name, report }, index) =>
              html`<tr>
                <td class="number">${index + 1}</td>
                <th scope="row">${cutText(name, 200)}</th>
                <td><span class=${`tag ${colourOf(report.verdict.judgement)}`}>${report.verdict.judgement}</span></td>
                <td>${cutText(report.profile, 80)}</td>
                <td>${cutText(report.suite.version, 40)}</td>
                <td class="bar">${bar(countsOf(report.results))}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

function filter() {
  return html`<form class="filter" data-filter="list" data-script hidden aria-label="Filter the cases">
    <fieldset>
      <legend>rows</legend>
      <label><input type="checkbox" name="differs" /> only cases that differ</label>
    </fieldset>
    ${filterEnd("id or title", "sections")}
  </form>`;
}

function group(section: MatrixSection, rows: readonly MatrixRow[], { columns }: Matrix, open: boolean) {
  const differing = rows.filter(({ differs }) => differs).length;
  return html`<details class="case o-known" data-group open=${open}>
    <summary class="section">
      <b>${section.title}</b>
      <span class="level small quiet">${section.cases} cases, ${differing} differ</span>
      <span class="title columns">
        ${columns.map((_, index) => {
          const counts = countsOf((section.outcomes[index] ?? []).map((outcome) => ({ outcome })));
          const told = outcomeOrder.flatMap((outcome) => (counts[outcome] ? [`${counts[outcome]} ${outcome}`] : []));
          return html`<span class="column"
            ><span class="small">${index + 1}: ${told.join(", ")}</span>${bar(counts, 8)}</span
          >`;
        })}
      </span>
    </summary>
    <div class="inside scroll" tabindex="0" role="group" aria-label=${`Cases of ${section.title}`}>
      <table class="matrix">
        <thead>
          <tr>
            <th scope="col">case</th>
            ${columns.map(({ name }, index) => html`<th scope="col" class="column">${index + 1}. ${cutText(name, 40)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(rowView)}
        </tbody>
      </table>
    </div>
  </details>`;
}

function rowView({ id, title, cells, differs }: MatrixRow) {
  return html`<tr data-row data-differs=${differs ? true : undefined}>
    <th scope="row">${cutText(id, 80)}<br /><span class="small quiet">${cutText(title, 160)}</span></th>
    ${cells.map((cell) => html`<td class="cell">${cell === undefined ? absent : tag(cell.outcome)}</td>`)}
  </tr>`;
}

const absent = html`<span class="quiet small">absent</span>`;
