/** One case: a line that says how it ended, and behind it what was judged, what was seen, and how to run it again. */
import { clauseOf } from "../../interface/clauses/index.ts";
import type { Report, ReportedResult } from "../report.ts";
import { earlierText } from "../story-text.ts";
import { tellingOf, type Telling } from "../telling.ts";
import { command } from "./command.ts";
import { firstOf } from "./cut.ts";
import { difference } from "./difference.ts";
import { exchangeView } from "./exchange.ts";
import { historyOf, type Earlier } from "./history.ts";
import { html, type Markup } from "./markup.ts";
import { isFailure, tag } from "./outcomes.ts";
import { storyView } from "./story-view.ts";

export interface Shown {
  readonly result: ReportedResult;
  /** An id of its own on the page. */
  readonly anchor: string;
  /** `brief`: without exchanges and stories, for a page that would be too large with them. */
  readonly detail: "whole" | "brief";
}

/** Whether there is more to show than words. */
export const hasEvidence = ({ exchanges, story }: ReportedResult) => exchanges.length > 0 || story !== undefined;

const SHOWN_EXCHANGES = 12;
const SHOWN_CLAUSES = 30;
const SHOWN_STORIES = 5;
const SHOWN_SEEN = 20;
const SHOWN_BESIDE = 6;

export function caseEntry(
  { result, anchor, detail }: Shown,
  report: Report,
  earlier: readonly Earlier[],
  open = false,
) {
  const { id, title, outcome, level, clauses } = result;
  const telling = tellingOf(result, report);
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
      ${told(telling, historyOf(result, report, earlier))}
      ${detail === "whole" ? evidence(telling, anchor) : hasEvidence(result) ? leftOut : null}
      ${again(telling, result, anchor)}
    </div>
  </details>`;
}

const leftOut = html`<p class="quiet">Left out to keep the page small: the JSON report has the exchanges.</p>`;

/** What was judged, and what was seen, in words. `history`: how it ended in earlier reports. */
function told(telling: Telling, history: Markup | undefined) {
  const { expected, actual = "", why, only, before, reading, seenIn } = telling;
  return html`${expected === undefined ? null : difference(expected, actual)}
    ${only === undefined ? null : html`<p class="only">${only}</p>`}
    <dl class="told">
      ${line("why", why)}
      ${line("before", before.length === 0 ? undefined : earlierText(before).map((step) => html`<p>${step}</p>`))}
      ${line("next to it", besides(telling))} ${clauses(telling)} ${line("reading", reading)}
      ${line("seen in", seenIn.length === 0 ? undefined : listed(seenIn, SHOWN_SEEN))} ${line("history", history)}
    </dl>`;
}

const line = (name: string, content: unknown) =>
  content === undefined
    ? null
    : html`<dt>${name}</dt>
        <dd>${content}</dd>`;

/** What works next to a failure. */
function besides({ accepted, passing }: Telling) {
  const works = [
    ...accepted.slice(0, SHOWN_BESIDE).map((request) => `${request} is accepted`),
    ...(passing.length === 0 ? [] : [`passing: ${listed(passing, SHOWN_BESIDE)}`]),
  ];
  return works.length === 0 ? undefined : works.map((text) => html`<p>${text}</p>`);
}

/** Of a failure the clause that it broke; of another case all of them. */
function clauses(telling: Telling) {
  const { clause, otherClauses: others } = telling;
  if (isFailure(telling))
    return line("broken", html`${clauseLine(clause, true)} ${others.length === 0 ? null : otherClauses(others)}`);
  const { shown, more } = firstOf([clause, ...others.map((id) => ({ id }))], SHOWN_CLAUSES);
  const links = html`${shown.map((one) => clauseLine(one, false))} ${more > 0 ? `and ${more} more` : null}`;
  return line(others.length === 0 ? "clause" : "clauses", links);
}

function otherClauses(ids: readonly string[]) {
  const { shown, more } = firstOf(ids, SHOWN_CLAUSES);
  const what = ids.length === 1 ? "1 other clause" : `${ids.length} other clauses`;
  return html`<details class="plain">
    <summary class="small quiet">and ${what}</summary>
    ${shown.map((id) => clauseLine({ id }, false))}${more > 0 ? `and ${more} more` : null}
  </details>`;
}

function clauseLine({ id, stated }: Pick<Telling["clause"], "id" | "stated">, whole: boolean) {
  if (clauseOf(id) === undefined) return html`<p>${id}</p>`;
  if (!whole || stated === undefined) return html`<a href=${`#clause-${id}`}>${id}</a> `;
  return html`<p><a href=${`#clause-${id}`}>${id}</a>, section ${stated.section}: ${stated.text}</p>`;
}

function listed(ids: readonly string[], most: number): string {
  const { shown, more } = firstOf(ids, most);
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** What was seen, as it was: stories, exchanges, the table of cells. */
function evidence(telling: Telling, anchor: string) {
  const { story, otherStories, exchanges, visits } = telling;
  const { shown, more } = firstOf(exchanges, SHOWN_EXCHANGES);
  const stories = firstOf(otherStories, SHOWN_STORIES);
  return html`${story === undefined ? null : storyView(story)} ${stories.shown.map(storyView)}
  ${stories.more > 0 ? html`<p class="quiet">${stories.more} more stories are in the JSON report.</p>` : null}
  ${shown.length === 0 ? null : html`<h3>${shown.length === 1 ? "The exchange" : "The exchanges"}</h3>`}
  ${shown.map((exchange, index) => exchangeView(exchange, `${anchor}-replay-${index + 1}`))}
  ${more > 0 ? html`<p class="quiet">${more} more exchanges are in the JSON report.</p>` : null}
  ${visits === undefined ? null : cellsJudged(visits)}`;
}

function cellsJudged(visits: NonNullable<Telling["visits"]>) {
  const cells = Object.values(visits).flatMap((row) => Object.values(row));
  const judged = cells.filter((count) => count > 0).length;
  return html`<p class="small quiet">
    ${judged} of the ${cells.length} combinations that the case looks for were judged.
  </p>`;
}

function again({ again: rerun }: Telling, { ms, requests, signature }: ReportedResult, anchor: string) {
  // An invariant sends nothing itself.
  const sent = requests === 0 ? [] : [`${requests} ${requests === 1 ? "request" : "requests"} in ${ms} ms`];
  const cost = [...sent, ...(signature === undefined ? [] : [`signature: ${signature}`])].join("; ");
  return html`${rerun === undefined ? null : command("run the case again", rerun, `${anchor}-again`)}
    <p class="small quiet">${cost}</p>`;
}
