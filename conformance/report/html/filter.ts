/** The filter of the cases: by outcome, clause and text. Only the script can filter, so the page hides it without one. */
import { countsOf } from "../facts.ts";
import type { Report } from "../report.ts";
import { oneLine } from "../wrap.ts";
import { html } from "./markup.ts";

/** Bounds for a report from an untrusted file. */
const [MOST_CLAUSES, MOST_CHARACTERS] = [400, 60];

export function filter({ results }: Report) {
  const clauses = [...new Set(results.flatMap((result) => result.clauses))].toSorted().slice(0, MOST_CLAUSES);
  const outcomes = Object.entries(countsOf(results));
  return html`<div class="filter" role="search" aria-label="Filter the cases" hidden>
    <label>
      Outcome
      <select>
        <option value="">all ${results.length}</option>
        ${outcomes.map(([outcome, count]) => html`<option value=${outcome}>${count} ${outcome}</option>`)}
      </select>
    </label>
    <label>
      Clause
      <select>
        <option value="">all</option>
        ${clauses.map((clause) => html`<option value=${clause}>${oneLine(clause, MOST_CHARACTERS)}</option>`)}
      </select>
    </label>
    <label class="text">Text <input type="search" placeholder="case, header, code, value" /></label>
    <button type="button">Show all</button>
    <span role="status"></span>
  </div>`;
}
