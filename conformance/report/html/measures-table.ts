/** What the limits were found to be, beside what the interface states. */
import { measuresIn } from "../measures.ts";
import type { Report } from "../report.ts";
import { html } from "./markup.ts";
import { scrolling, table } from "./table.ts";

export function measuresTable({ results }: Report) {
  const rows = measuresIn(results).map(({ limit, stated, measured, note }) => [limit, stated, measured, note]);
  if (rows.length === 0) return null;
  return html`<section aria-labelledby="measures">
    <h2 id="measures">The limits, measured</h2>
    ${scrolling("Table of measures", table(["Limit", "Stated", "Measured", "How"], rows))}
  </section>`;
}
