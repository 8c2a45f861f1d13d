/** A table whose rows are named by their first cell. */
import { html, type Markup } from "./markup.ts";

export const table = (columns: readonly Markup[], rows: readonly (readonly Markup[])[], name?: string) =>
  html`<table class=${name}>
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col">${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([first, ...cells]) =>
          html`<tr>
            <th scope="row">${first}</th>
            ${cells.map((cell) => html`<td>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;

/** A table that is wider than a phone: it scrolls by itself. */
export const scrolling = (label: string, content: Markup) =>
  html`<div class="scroll" tabindex="0" role="group" aria-label=${label}>${content}</div>`;
