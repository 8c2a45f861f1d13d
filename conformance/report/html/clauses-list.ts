/** Every clause that the report's cases name, and how many cases of each outcome judged it. */
import { clauseIds, ledger } from "../../interface/clauses/index.ts";
import type { Report, ReportedResult } from "../report.ts";
import { cutText } from "./cut.ts";
import { html } from "./markup.ts";
import { bar, countsOf } from "./outcomes.ts";

export function clausesList({ results, verdict, notCovered }: Report) {
  const judges = new Map<string, ReportedResult[]>();
  for (const result of results) {
    for (const id of result.clauses) judges.set(id, [...(judges.get(id) ?? []), result]);
  }
  const uncovered = new Set(verdict.uncovered);
  return html`<section aria-labelledby="clauses">
    <h2 id="clauses">Clauses</h2>
    <details class="plain" data-group>
      <summary>The rules of the interface, and how many cases judged each</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">clause</th>
            <th scope="col">level</th>
            <th scope="col">what it states</th>
            <th scope="col">cases</th>
          </tr>
        </thead>
        <tbody>
          ${clauseIds.map((id) => {
            const { text, section, level, excluded } = ledger[id];
            const accepted = Object.hasOwn(notCovered, id) ? notCovered[id] : undefined;
            return html`<tr id=${`clause-${id}`}>
              <th scope="row">${id}<br /><span class="small quiet">section ${section}</span></th>
              <td>${level}</td>
              <td>
                ${text} ${excluded === undefined ? null : html`<p class="small quiet">No case: ${excluded}</p>`}
                ${accepted === undefined ? null : html`<p class="small quiet">Accepted as not covered: ${cutText(accepted, 300)}</p>`}
                ${uncovered.has(id) ? html`<p class="small"><strong>Not covered.</strong></p>` : null}
              </td>
              <td class="bar">
                ${judges.has(id) ? bar(countsOf(judges.get(id) ?? []), 10) : html`<span class="small quiet">none</span>`}
              </td>
            </tr>`;
          })}
        </tbody>
      </table>
    </details>
  </section>`;
}
