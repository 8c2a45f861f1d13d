/** What stands beside the cases: the baseline, what was not covered, limits, clauses, stderr, and the facts of the run. */
import { clauseIds, clauseOf, ledger, type ClauseId } from "../../interface/clauses/index.ts";
import { countsOf, firstNames, measuresIn, whyUncovered } from "../facts.ts";
import type { Report } from "../report.ts";
import { redLevels } from "../verdict.ts";
import { html, scrolling, table } from "./markup.ts";
import { bar } from "./outcomes.ts";

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

/** What the limits were found to be, beside what the interface states. */
export function measuresTable({ results }: Report) {
  const rows = measuresIn(results).map(({ limit, stated, measured, note }) => [limit, stated, measured, note]);
  if (rows.length === 0) return null;
  return html`<section aria-labelledby="measures">
    <h2 id="measures">The limits, measured</h2>
    ${scrolling("Table of measures", table(["Limit", "Stated", "Measured", "How"], rows))}
  </section>`;
}

/** Every clause, and how many cases of each outcome judged it. */
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

/** What the top of the page leaves out. */
export function runFacts({ suite, target, capabilities, failOn, depth, profileHash }: Report) {
  const facts = {
    product: target.product,
    capabilities: capabilities.join(", ") || "HTTP only",
    "levels that turn the run red": redLevels(failOn).join(", "),
    "seeds of the properties": firstNames(depth?.seeds ?? [], 12) || "none",
    "cases of the suite": suite.cases,
    "hash of the profile": profileHash,
    "hash of the clauses": suite.ledger,
    "hash of the cases": suite.catalogue,
  };
  return html`<section aria-labelledby="run">
    <h2 id="run">The run</h2>
    <dl class="facts">
      ${Object.entries(facts).map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}
