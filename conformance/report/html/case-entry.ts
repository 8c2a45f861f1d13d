/** One case: a line that says how it ended, and behind it what was judged, what was seen, and how to run it again. */
import { clauseOf } from "../../interface/clauses/index.ts";
import { firstNames, number } from "../facts.ts";
import type { Report, ReportedResult } from "../report.ts";
import { earlierText } from "../story-text.ts";
import { tellingOf, type Telling } from "../telling.ts";
import { failed } from "../verdict.ts";
import { command, difference, exchangeView } from "./evidence.ts";
import { html, type Markup } from "./markup.ts";
import { tag } from "./outcomes.ts";
import { storyView } from "./story-view.ts";

export interface Entry {
  readonly result: ReportedResult;
  /** An id of its own on the page. */
  readonly anchor: string;
  /** `brief`: without exchanges and stories, for a page that would be too large with them. */
  readonly detail: "whole" | "brief";
}

/** Whether there is more to show than words. */
export const hasEvidence = ({ exchanges, story }: ReportedResult) => exchanges.length > 0 || story !== undefined;

/** Beside the first one: each has dozens of rows. */
const MOST_STORIES = 5;
const MOST_CASES_SEEN_IN = 20;
const MOST_NEIGHBOURS = 6;

export function caseEntry({ result, anchor, detail }: Entry, report: Report, open = false) {
  const { id, title, outcome, level, clauses } = result;
  const telling = tellingOf(result, report);
  return html`<details
    class=${`case o-${outcome}`}
    id=${anchor}
    open=${open}
    data-row
    data-outcome=${outcome}
    data-level=${level}
    data-clauses=${clauses.join(" ")}
    data-print=${failed(result) ? true : undefined}
  >
    <summary>
      ${tag(outcome)}<b>${id}</b><span class="level small quiet">${level}</span>
      <span class="title">${title}</span>
    </summary>
    <div class="inside">
      ${told(telling)} ${detail === "whole" ? evidence(telling, anchor) : hasEvidence(result) ? leftOut : null}
      ${again(telling, result, anchor)}
    </div>
  </details>`;
}

const leftOut = html`<p class="quiet">Left out to keep the page small: the JSON report has the exchanges.</p>`;

/** What was judged, and what was seen, in words. */
function told(telling: Telling) {
  const { expected, actual = "", why, only, before, reading, seenIn, accepted, passing, otherClauses } = telling;
  const neighbours = [
    ...accepted.slice(0, MOST_NEIGHBOURS).map((request) => `${request} is accepted`),
    ...(passing.length === 0 ? [] : [`passing: ${firstNames(passing, MOST_NEIGHBOURS)}`]),
  ];
  const lines: readonly (readonly [string, Markup])[] = [
    ["why", why],
    ["before", paragraphs(earlierText(before))],
    ["next to it", paragraphs(neighbours)],
    [failed(telling) ? "broken" : otherClauses.length === 0 ? "clause" : "clauses", clauses(telling)],
    ["reading", reading],
    ["seen in", firstNames(seenIn, MOST_CASES_SEEN_IN)],
  ];
  return html`${expected === undefined ? null : difference(expected, actual)}
    ${only === undefined ? null : html`<p class="only">${only}</p>`}
    <dl class="told">
      ${lines.map(([name, content]) =>
        content
          ? html`<dt>${name}</dt>
              <dd>${content}</dd>`
          : null,
      )}
    </dl>`;
}

const paragraphs = (texts: readonly string[]) =>
  texts.length === 0 ? undefined : texts.map((text) => html`<p>${text}</p>`);

/** Of a failure the clause that it broke with its text, then the others. */
function clauses(telling: Telling) {
  const { id, stated } = telling.clause;
  const text = failed(telling) && stated !== undefined ? `, section ${stated.section}: ${stated.text}` : "";
  return html`${clauseLink(id)}${text} ${telling.otherClauses.map((other) => html`${clauseLink(other)} `)}`;
}

const clauseLink = (id: string) => (clauseOf(id) === undefined ? id : html`<a href=${`#clause-${id}`}>${id}</a>`);

/** What was seen, as it was: stories, exchanges, the table of cells. */
function evidence({ story, otherStories, exchanges, visits }: Telling, anchor: string) {
  const more = otherStories.length - MOST_STORIES;
  return html`${[...(story === undefined ? [] : [story]), ...otherStories.slice(0, MOST_STORIES)].map(storyView)}
  ${more > 0 ? html`<p class="quiet">${more} more stories are in the JSON report.</p>` : null}
  ${exchanges.length === 0 ? null : html`<h3>${exchanges.length === 1 ? "The exchange" : "The exchanges"}</h3>`}
  ${exchanges.map((exchange, index) => exchangeView(exchange, `${anchor}-replay-${index + 1}`))}
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
  const sent = requests === 0 ? [] : [`${number(requests, "request")} in ${ms} ms`];
  const cost = [...sent, ...(signature === undefined ? [] : [`signature: ${signature}`])].join("; ");
  return html`${rerun === undefined ? null : command("run the case again", rerun, `${anchor}-again`)}
    <p class="small quiet">${cost}</p>`;
}
