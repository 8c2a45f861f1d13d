/** The interface section by section: how many cases judged it, and with which outcomes. */
import type { Report, ReportedResult } from "../report.ts";
import { sectionOf, sectionTitle } from "../section.ts";
import { html } from "./markup.ts";
import { bar, countsOf } from "./outcomes.ts";

export function sectionsTable({ results }: Report) {
  const sections = new Map<number, ReportedResult[]>();
  for (const result of results) {
    const members = sections.get(sectionOf(result)) ?? [];
    members.push(result);
    sections.set(sectionOf(result), members);
  }
  return html`<section aria-labelledby="sections">
    <h2 id="sections">By section of the interface</h2>
    <table class="sections">
      <thead>
        <tr>
          <th scope="col">section</th>
          <th scope="col" class="number">cases</th>
          <th scope="col" class="number">passed</th>
          <th scope="col" class="number">failed</th>
          <th scope="col" class="number">other</th>
          <th scope="col">outcomes</th>
        </tr>
      </thead>
      <tbody>
        ${[...sections]
          .toSorted(([a], [b]) => a - b)
          .map(([section, members]) => {
            const counts = countsOf(members);
            const { pass = 0, fail = 0 } = counts;
            return html`<tr>
              <th scope="row">${sectionTitle(section)}</th>
              <td class="number">${members.length}</td>
              <td class="number">${pass}</td>
              <td class="number">${fail === 0 ? "0" : html`<strong class="o-fail ink">${fail}</strong>`}</td>
              <td class="number">${members.length - pass - fail}</td>
              <td class="bar">${bar(counts)}</td>
            </tr>`;
          })}
      </tbody>
    </table>
  </section>`;
}
