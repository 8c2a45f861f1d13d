/** What the limits were found to be, beside what the interface states. */
import { measuresIn } from "../measures.ts";
import type { Report } from "../report.ts";
import { cutText } from "./cut.ts";
import { html } from "./markup.ts";

export function measuresTable({ results }: Report) {
  const rows = measuresIn(results);
  if (rows.length === 0) return null;
  return html`<section aria-labelledby="measures">
    <h2 id="measures">The limits, measured</h2>
    <div class="scroll" tabindex="0" role="group" aria-label="Table of measures">
      <table>
        <thead>
          <tr>
            <th scope="col">Limit</th>
            <th scope="col">Stated</th>
            <th scope="col">Measured</th>
            <th scope="col">How</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ limit, stated, measured, note = "" }) =>
              html`<tr>
                <th scope="row">${limit}</th>
                <td>${cutText(stated, 100)}</td>
                <td>${cutText(measured, 100)}</td>
                <td>${cutText(note, 200)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}
