/** How often each cell of a case's table was judged; in `brief`, how many of the cells. */
import type { ReportedResult } from "../report.ts";
import { firstOf } from "./cut.ts";
import { html } from "./markup.ts";

const SHOWN_ROWS = 60;
const SHOWN_COLUMNS = 24;

export function visitsTable(visits: NonNullable<ReportedResult["visits"]>, brief: boolean) {
  if (brief) {
    const cells = Object.values(visits).flatMap((row) => Object.values(row));
    const judged = cells.filter((count) => count > 0).length;
    return html`<p class="small quiet">${judged} of ${cells.length} cells of its table were judged.</p>`;
  }
  const rows = firstOf(Object.entries(visits), SHOWN_ROWS);
  const columns = firstOf([...new Set(rows.shown.flatMap(([, row]) => Object.keys(row)))], SHOWN_COLUMNS);
  const left = rows.more + columns.more;
  return html`<details class="plain">
    <summary>How often each cell of its table was judged, up to the failure (-: not yet)</summary>
    <div class="scroll" tabindex="0" role="group" aria-label="Table of cells">
      <table class="small">
        <thead>
          <tr>
            <td></td>
            ${columns.shown.map((name) => html`<th scope="col" class="number">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.shown.map(
            ([name, row]) =>
              html`<tr>
                <th scope="row">${name}</th>
                ${columns.shown.map((column) => {
                  return html`<td class="number">${Object.hasOwn(row, column) ? row[column] || "-" : ""}</td>`;
                })}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${left > 0 ? html`<p class="quiet">More rows or columns are in the JSON report.</p>` : null}
  </details>`;
}
