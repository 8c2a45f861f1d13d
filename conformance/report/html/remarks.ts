/** What stands beside the cases: the baseline, what was not covered, limits, and stderr. */
import { clauseOf } from "../../interface/clauses/index.ts";
import { measuresIn, whyUncovered } from "../facts.ts";
import type { Report } from "../report.ts";
import { html, scrolling, section, table } from "./markup.ts";

export function baselineSection({ baseline, results }: Report) {
  if (baseline === undefined) return null;
  const outcomes = new Map(results.map(({ id, outcome }) => [id, outcome]));
  return section(
    "baseline",
    "Baseline",
    baseline.faults.map(
      ({ case: id, fault, said }) => html`<p class="note"><strong>${id}</strong> is ${fault}: ${said}</p>`,
    ),
    table(
      ["case", "outcome", "why it is accepted", "until"],
      baseline.entries.map(({ case: id, reason, expires, link }) => [
        id,
        outcomes.get(id) ?? "not run",
        html`${reason} ${link === undefined ? null : linkTo(link)}`,
        expires,
      ]),
    ),
  );
}

/** Only what a browser may follow safely is a link; anything else stays a text. */
function linkTo(link: string) {
  return /^https?:\/\//.test(link) ? html`<a href=${link} rel="noreferrer noopener">${link}</a>` : link;
}

export function notCoveredSection(report: Report) {
  const { uncovered } = report.verdict;
  if (uncovered.length === 0) return null;
  const rows = uncovered.map((id) => [
    id,
    html`${clauseOf(id)?.text ?? ""}
      <p class="small quiet">${whyUncovered(id, report)}</p>`,
  ]);
  const why = html`<p>A <code>must</code> clause that no case could judge makes a whole run incomplete.</p>`;
  return section("uncovered", "Clauses that were not covered", why, table(["clause", "why"], rows));
}

export function stderrSection({ stderrTail }: Report) {
  const tail = stderrTail.trimEnd();
  if (tail === "") return null;
  const what = html`<p class="quiet">The end of what it wrote; routes named cold have no secret on purpose.</p>`;
  return section("stderr", "The target's stderr", what, html`<pre>${tail}</pre>`);
}

/** What the limits were found to be, beside what the interface states. */
export function measuresTable({ results }: Report) {
  const rows = measuresIn(results).map(({ limit, stated, measured, note }) => [limit, stated, measured, note]);
  if (rows.length === 0) return null;
  const measures = table(["Limit", "Stated", "Measured", "How"], rows);
  return section("measures", "The limits, measured", scrolling("Table of measures", measures));
}
