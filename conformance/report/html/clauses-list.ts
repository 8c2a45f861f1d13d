/** Every clause that the report's cases name, and how many cases of each outcome judged it. */
import { clauseIds, ledger, type ClauseId } from "../../interface/clauses/index.ts";
import { countsOf } from "../counts.ts";
import type { Report } from "../report.ts";
import { html } from "./markup.ts";
import { bar } from "./outcomes.ts";
import { table } from "./table.ts";

export function clausesList(report: Report) {
  const columns = ["clause", "level", "what it states", "cases"];
  return html`<section aria-labelledby="clauses">
    <h2 id="clauses">Clauses</h2>
    <details class="plain" data-group>
      <summary>The rules of the interface, and how many cases judged each</summary>
      ${table(
        columns,
        clauseIds.map((id) => clauseRow(id, report)),
      )}
    </details>
  </section>`;
}

function clauseRow(id: ClauseId, { results, verdict, notCovered }: Report) {
  const { text, section, level, excluded } = ledger[id];
  const accepted = Object.hasOwn(notCovered, id) ? notCovered[id] : undefined;
  const judges = results.filter(({ clauses }) => clauses.includes(id));
  return [
    html`<span id=${`clause-${id}`}>${id}</span><br /><span class="small quiet">section ${section}</span>`,
    level,
    html`${text} ${excluded === undefined ? null : html`<p class="small quiet">No case: ${excluded}</p>`}
    ${accepted === undefined ? null : html`<p class="small quiet">Accepted as not covered: ${accepted}</p>`}
    ${verdict.uncovered.includes(id) ? html`<p class="small"><strong>Not covered.</strong></p>` : null}`,
    judges.length > 0 ? bar(countsOf(judges), 10) : html`<span class="small quiet">none</span>`,
  ];
}
