/** What stands beside the cases: the baseline, clauses that were not covered, and what the target wrote to stderr. */
import { clauseOf } from "../../interface/clauses/index.ts";
import { whyUncovered } from "../coverage.ts";
import type { Report } from "../report.ts";
import { html } from "./markup.ts";
import { table } from "./table.ts";

export function baselineSection({ baseline, results }: Report) {
  if (baseline === undefined) return null;
  const outcomes = new Map(results.map(({ id, outcome }) => [id, outcome]));
  return html`<section aria-labelledby="baseline">
    <h2 id="baseline">Baseline</h2>
    ${baseline.faults.map(
      ({ case: id, fault, said }) => html`<p class="note"><strong>${id}</strong> is ${fault}: ${said}</p>`,
    )}
    ${table(
      ["case", "outcome", "why it is accepted", "until"],
      baseline.entries.map(({ case: id, reason, expires, link }) => [
        id,
        outcomes.get(id) ?? "not run",
        html`${reason} ${link === undefined ? null : linkTo(link)}`,
        expires,
      ]),
    )}
  </section>`;
}

/** Only what a browser may follow safely is a link; anything else stays a text. */
function linkTo(link: string) {
  return /^https?:\/\//.test(link) ? html`<a href=${link} rel="noreferrer noopener">${link}</a>` : link;
}

export function notCoveredSection(report: Report) {
  const { uncovered } = report.verdict;
  if (uncovered.length === 0) return null;
  return html`<section aria-labelledby="uncovered">
    <h2 id="uncovered">Clauses that were not covered</h2>
    <p>A <code>must</code> clause that no case could judge makes a whole run incomplete.</p>
    ${table(
      ["clause", "why"],
      uncovered.map((id) => [
        id,
        html`${clauseOf(id)?.text ?? ""}
          <p class="small quiet">${whyUncovered(id, report)}</p>`,
      ]),
    )}
  </section>`;
}

export function stderrSection({ stderrTail }: Report) {
  const tail = stderrTail.trimEnd();
  if (tail === "") return null;
  return html`<section aria-labelledby="stderr">
    <h2 id="stderr">The target's stderr</h2>
    <details class="plain">
      <summary>The end of what the target wrote; routes named cold have no secret on purpose</summary>
      <pre>${tail}</pre>
    </details>
  </section>`;
}
