/** What stands beside the cases: the baseline, what was not covered, limits, clauses, stderr, and the facts of the run. */
import { clauseIds, clauseOf, ledger, type ClauseId } from "../../interface/clauses/index.ts";
import { countsOf, firstNames, measuresIn, whyUncovered } from "../facts.ts";
import type { Report } from "../report.ts";
import { redLevels } from "../verdict.ts";
import { html, scrolling, section, table, type Markup } from "./markup.ts";
import { bar } from "./outcomes.ts";

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
  const summary = "The end of what the target wrote; routes named cold have no secret on purpose";
  return section("stderr", "The target's stderr", folded(summary, html`<pre>${tail}</pre>`));
}

const folded = (summary: string, content: Markup) =>
  html`<details class="plain">
    <summary>${summary}</summary>
    ${content}
  </details>`;

/** What the limits were found to be, beside what the interface states. */
export function measuresTable({ results }: Report) {
  const rows = measuresIn(results).map(({ limit, stated, measured, note }) => [limit, stated, measured, note]);
  if (rows.length === 0) return null;
  const measures = table(["Limit", "Stated", "Measured", "How"], rows);
  return section("measures", "The limits, measured", scrolling("Table of measures", measures));
}

/** Every clause, and how many cases of each outcome judged it. */
export function clausesList(report: Report) {
  const rows = clauseIds.map((id) => clauseRow(id, report));
  const clauses = table(["clause", "level", "what it states", "cases"], rows);
  return section("clauses", "Clauses", folded("The rules of the interface, and how many cases judged each", clauses));
}

function clauseRow(id: ClauseId, { results, verdict, notCovered }: Report) {
  const { text, section: number, level, excluded } = ledger[id];
  const accepted = Object.hasOwn(notCovered, id) ? notCovered[id] : undefined;
  const judges = results.filter(({ clauses }) => clauses.includes(id));
  return [
    html`<span id=${`clause-${id}`}>${id}</span><br /><span class="small quiet">section ${number}</span>`,
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
  return section("run", "The run", table(["fact", "value"], Object.entries(facts)));
}
