/** One case: a line that says how it ended, and behind it what was judged, what was seen, and how to run it again. */
import { firstNames, number } from "../facts.ts";
import type { Report, ReportedResult, ReportedStory } from "../report.ts";
import { earlierText, storyText } from "../story-text.ts";
import { tellingOf, type Telling } from "../telling.ts";
import { failed } from "../verdict.ts";
import { command, difference, exchangeView } from "./evidence.ts";
import { html, tag, type Markup } from "./markup.ts";

export interface Entry {
  readonly result: ReportedResult;
  /** An id of its own on the page. */
  readonly anchor: string;
  readonly isOpen: boolean;
  /** Without exchanges and stories, for a page that would be too large with them. */
  readonly isBrief: boolean;
}

/** Whether there is more to show than words. */
export const hasEvidence = ({ exchanges, story }: ReportedResult) => exchanges.length > 0 || story !== undefined;

/** Beside the first one; and of each the last steps, which tell the most. */
const MOST_STORIES = 5;
const MOST_LINES = 100;
const MOST_CASES_SEEN_IN = 20;

export function caseEntry({ result, anchor, isOpen, isBrief }: Entry, report: Report) {
  const { id, title, outcome, level } = result;
  const telling = tellingOf(result, report);
  return html`<details class=${`case o-${outcome}`} id=${anchor} open=${isOpen}>
    <summary>
      ${tag(outcome)}<b>${id}</b><span class="level small quiet">${level}</span>
      <span class="title">${title}</span>
    </summary>
    <div class="inside">
      ${told(telling)} ${!isBrief ? evidence(telling, anchor) : hasEvidence(result) ? leftOut : null}
      ${again(telling, result, anchor)}
    </div>
  </details>`;
}

const leftOut = html`<p class="quiet">Left out to keep the page small: the JSON report has the exchanges.</p>`;

/** What was judged, and what was seen, in words. */
function told(telling: Telling) {
  const { expected, actual = "", why, only, also, reading, otherClauses } = telling;
  const { before = [], printed = [], seenIn = [] } = telling;
  const { id, stated } = telling.clause;
  const lines: readonly (readonly [string, Markup])[] = [
    ["why", why],
    ["also found", also.length === 0 ? undefined : also.map((text) => html`<p>${text}</p>`)],
    ["before", before.length === 0 ? undefined : earlierText(before, MOST_LINES).map((text) => html`<p>${text}</p>`)],
    ["printed", printed.length === 0 ? undefined : html`<pre>${printed.join("\n")}</pre>`],
    [
      failed(telling) ? "broken" : "clause",
      stated === undefined ? id : `${id}, section ${stated.section}: ${stated.text}`,
    ],
    ["also about", otherClauses.join(", ")],
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

/** What was seen, as it was: stories and exchanges. */
function evidence({ story, otherStories = [], exchanges, serve }: Telling, anchor: string) {
  const more = otherStories.length - MOST_STORIES;
  return html`${[...(story === undefined ? [] : [story]), ...otherStories.slice(0, MOST_STORIES)].map(storyView)}
  ${more > 0 ? html`<p class="quiet">${more === 1 ? "1 more story is" : `${more} more stories are`} in the JSON report.</p>` : null}
  ${exchanges.length === 0 ? null : html`<h3>${exchanges.length === 1 ? "The exchange" : "The exchanges"}</h3>`}
  ${exchanges.map((exchange, index) => exchangeView(exchange, `${anchor}-replay-${index + 1}`))}
  ${serve === undefined ? null : command("before you send it again: serve the plugin", serve, `${anchor}-serve`)}`;
}

function storyView(story: ReportedStory) {
  const lines = storyText(story);
  const left = lines.length - MOST_LINES;
  return html`<h3>The story: ${number(story.steps.length, "step")}</h3>
    ${left > 0 ? html`<p class="quiet">Its end; the JSON report has the ${left} lines before.</p>` : null}
    <pre>${lines.slice(-MOST_LINES).join("\n")}</pre>`;
}

function again({ again: rerun }: Telling, { ms, requests, findings = [] }: ReportedResult, anchor: string) {
  // An invariant sends nothing itself.
  const sent = requests === 0 ? [] : [`${number(requests, "request")} in ${ms} ms`];
  const cost = [...sent, ...findings.slice(0, 1).map(({ signature }) => `signature: ${signature}`)].join("; ");
  return html`${rerun === undefined ? null : command("run the case again", rerun, `${anchor}-again`)}
    <p class="small quiet">${cost}</p>`;
}
