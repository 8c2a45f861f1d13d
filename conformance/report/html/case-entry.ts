/** One case: a line that says how it ended, and behind it what was judged, what was seen, and how to run it again. */
import { clauseOf } from "../../interface/clauses/index.ts";
import { againFor } from "../again.ts";
import { acceptedBeside, passingBeside } from "../neighbours.ts";
import type { Report, ReportedResult } from "../report.ts";
import { ownReason } from "../failure.ts";
import { brokenClause } from "../way.ts";
import { command } from "./command.ts";
import { firstOf } from "./cut.ts";
import { difference } from "./difference.ts";
import { exchangeView } from "./exchange.ts";
import { historyOf, type Earlier } from "./history.ts";
import { html } from "./markup.ts";
import { isFailure, tag } from "./outcomes.ts";
import { storyView } from "./story-view.ts";
import { visitsTable } from "./visits-table.ts";

export interface Shown {
  readonly result: ReportedResult;
  /** An id of its own on the page. */
  readonly anchor: string;
  /** `brief`: without pictures, exchanges and stories, for a page that would be too large with them. */
  readonly detail: "whole" | "brief";
}

/** Whether there is more to show than words. */
export const hasEvidence = ({ exchanges, story }: ReportedResult) => exchanges.length > 0 || story !== undefined;

const SHOWN_EXCHANGES = 12;
const SHOWN_CLAUSES = 30;
const SHOWN_STORIES = 5;
const SHOWN_STEPS = 6;
const SHOWN_BESIDE = 6;

export function caseEntry(
  { result, anchor, detail }: Shown,
  report: Report,
  earlier: readonly Earlier[],
  open = false,
) {
  const { id, title, outcome, level, clauses } = result;
  return html`<details
    class=${`case o-${outcome}`}
    id=${anchor}
    open=${open}
    data-row
    data-outcome=${outcome}
    data-level=${level}
    data-clauses=${clauses.slice(0, SHOWN_CLAUSES).join(" ")}
    data-print=${isFailure(result) ? true : undefined}
  >
    <summary>
      ${tag(outcome)}<b>${id}</b><span class="level small quiet">${level}</span>
      <span class="title">${title}</span>
    </summary>
    <div class="inside">
      ${told(result, report, earlier)}
      ${detail === "whole" ? evidence(result, anchor) : hasEvidence(result) ? leftOut : null}
      ${again(result, report, anchor)}
    </div>
  </details>`;
}

const leftOut = html`<p class="quiet">Left out to keep the page small: the JSON report has the exchanges.</p>`;

/** What was judged, and what was seen, in words. */
function told(result: ReportedResult, report: Report, earlier: readonly Earlier[]) {
  const { expected, actual = "", seenIn = [], clauses, reading, before = [] } = result;
  const broken = isFailure(result) ? brokenClause(result) : undefined;
  const why = expected === undefined ? (result.reason ?? "") : ownReason(result);
  const { shown, more } = firstOf(clauses, SHOWN_CLAUSES);
  const history = historyOf(result, report, earlier);
  return html`${expected === undefined ? null : difference(expected, actual)}
    <dl class="told">
      ${
        why === ""
          ? null
          : html`<dt>why</dt>
              <dd>${why}</dd>`
      }
      ${
        before.length === 0
          ? null
          : html`<dt>before</dt>
              <dd>${before.slice(0, SHOWN_STEPS).map((step) => html`<p>${step}</p>`)}</dd>`
      }
      ${besides(result, report)}
      <dt>${broken === undefined ? (clauses.length === 1 ? "clause" : "clauses") : "broken"}</dt>
      <dd>
        ${broken === undefined ? shown.map((clause) => clauseLine(clause, false)) : clauseLine(broken, true)}
        ${broken !== undefined && clauses.length > 1 ? otherClauses(clauses.filter((clause) => clause !== broken)) : null}
        ${broken === undefined && more > 0 ? `and ${more} more` : null}
      </dd>
      ${
        reading === undefined
          ? null
          : html`<dt>reading</dt>
              <dd>${reading}</dd>`
      }
      ${
        seenIn.length === 0
          ? null
          : html`<dt>seen in</dt>
              <dd>${seen(seenIn)}</dd>`
      }
      ${
        history === undefined
          ? null
          : html`<dt>history</dt>
              <dd>${history}</dd>`
      }
    </dl>`;
}

/** What works next to a failure. */
function besides(result: ReportedResult, { results }: Report) {
  if (!isFailure(result)) return null;
  const { shown, more } = firstOf(passingBeside(result, results), SHOWN_BESIDE);
  const passing = shown.map(({ id }) => id).join(", ") + (more > 0 ? ` and ${more} more` : "");
  const works = [
    ...firstOf(acceptedBeside(result), SHOWN_BESIDE).shown.map((request) => `${request} is accepted`),
    ...(passing === "" ? [] : [`passing: ${passing}`]),
  ];
  return works.length === 0
    ? null
    : html`<dt>next to it</dt>
        <dd>${works.map((text) => html`<p>${text}</p>`)}</dd>`;
}

function otherClauses(ids: readonly string[]) {
  const { shown, more } = firstOf(ids, SHOWN_CLAUSES);
  const what = ids.length === 1 ? "1 other clause" : `${ids.length} other clauses`;
  return html`<details class="plain">
    <summary class="small quiet">and ${what}</summary>
    ${shown.map((clause) => clauseLine(clause, false))}${more > 0 ? `and ${more} more` : null}
  </details>`;
}

function clauseLine(id: string, whole: boolean) {
  const clause = clauseOf(id);
  if (clause === undefined) return html`<p>${id}</p>`;
  if (!whole) return html`<a href=${`#clause-${id}`}>${id}</a> `;
  return html`<p><a href=${`#clause-${id}`}>${id}</a>, section ${clause.section}: ${clause.text}</p>`;
}

function seen(ids: readonly string[]): string {
  const { shown, more } = firstOf(ids, 20);
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** What was seen, as it was: pictures, stories, exchanges, the table of cells. */
function evidence(result: ReportedResult, anchor: string) {
  const { story, otherStories = [], exchanges, visits } = result;
  const { shown, more } = firstOf(exchanges, SHOWN_EXCHANGES);
  const stories = firstOf(otherStories, SHOWN_STORIES);
  return html`${story === undefined ? null : storyView(story, `${anchor}-story`)}
  ${stories.shown.map((other, index) => storyView(other, `${anchor}-story-${index + 2}`))}
  ${stories.more > 0 ? html`<p class="quiet">${stories.more} more stories are in the JSON report.</p>` : null}
  ${shown.length === 0 ? null : html`<h3>${shown.length === 1 ? "The exchange" : "The exchanges"}</h3>`}
  ${shown.map((exchange, index) => exchangeView(exchange, `${anchor}-replay-${index + 1}`))}
  ${more > 0 ? html`<p class="quiet">${more} more exchanges are in the JSON report.</p>` : null}
  ${visits === undefined ? null : visitsTable(visits, !isFailure(result))}`;
}

function again(result: ReportedResult, report: Report, anchor: string) {
  const { outcome } = result;
  const line = outcome === "pass" || outcome === "not-applicable" ? undefined : againFor(result, report);
  const { ms, requests, signature } = result;
  // An invariant sends nothing itself.
  const sent = requests === 0 ? [] : [`${requests} ${requests === 1 ? "request" : "requests"} in ${ms} ms`];
  const cost = [...sent, ...(signature === undefined ? [] : [`signature: ${signature}`])].join("; ");
  return html`${line === undefined ? null : command("run the case again", line, `${anchor}-again`)}
    <p class="small quiet">${cost}</p>`;
}
