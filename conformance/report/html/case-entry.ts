/** One case: a line that says how it ended; behind it the one exchange that shows it, and behind that all the rest. */
import { firstNames, number } from "../facts.ts";
import type { EarlierSteps, Report, ReportedResult, ReportedStory } from "../report.ts";
import { earlierText, storyText } from "../story-text.ts";
import { inOneSentence, tellingOf, type Telling } from "../telling.ts";
import { failed } from "../verdict.ts";
import { oneLine } from "../wrap.ts";
import { commandView, difference, exchangeView } from "./evidence.ts";
import { html, table, tag, type Markup } from "./markup.ts";

export interface CaseEntry {
  readonly result: ReportedResult;
  readonly anchor: string;
  readonly isOpen: boolean;
  /** Without exchanges and stories, for a page that would be too large with them. */
  readonly isBrief: boolean;
}

export const hasEvidence = ({ exchanges, story }: ReportedResult) => exchanges.length > 0 || story !== undefined;

/** Stories beside the first one, and lines of each: its last steps, which show the failure. */
const MOST_STORIES = 5;
const MOST_LINES = 100;
const MOST_BEFORE = 8;
const MOST_NAMES = 20;
const MOST_HEADLINE = 240;

export function caseEntry(entry: CaseEntry, report: Report) {
  const { result, anchor, isOpen } = entry;
  const { id, title, outcome, level, clauses } = result;
  const telling = tellingOf(result, report);
  const rest = restOf(telling, entry);
  return html`<details
    class=${`case o-${outcome}`}
    id=${anchor}
    open=${isOpen}
    data-clauses=${clauses.slice(0, MOST_NAMES).join(" ")}
  >
    <summary>
      ${tag(outcome)}<b>${id}</b><span class="level small quiet">${level}</span>
      <span class="title">${title}</span>
      ${
        telling.expected === undefined
          ? null
          : html`<span class="headline">${oneLine(inOneSentence(telling), MOST_HEADLINE)}</span>`
      }
    </summary>
    <div class="inside">
      ${found(telling, entry)}
      ${
        telling.again === undefined
          ? rest
          : html`<details class="more">
              <summary>Everything the report has of this case</summary>
              ${rest}
            </details>`
      }
    </div>
  </details>`;
}

const leftOut = html`<p class="quiet">Left out to keep the page small: the JSON report has the exchanges.</p>`;

/** The first screen of a failing case: expected and actual, the values, the clause, and the exchange. */
function found(telling: Telling, { result, anchor, isBrief }: CaseEntry) {
  const { expected, actual = "", why, combination, story, before = [], exchanges, again } = telling;
  const { id, stated } = telling.clause;
  const [first] = exchanges;
  const seen = html`${story === undefined ? null : storyView(story)} ${before.length === 0 ? null : beforeView(before)}
  ${first === undefined ? null : firstView(first, telling, anchor)}`;
  return html`${expected === undefined ? null : difference(expected, actual)}
  ${combination === undefined ? null : valuesTable(combination)}
  ${listed([
    ["why", why],
    [
      failed(telling) ? "broken" : "clause",
      stated === undefined ? id : `${id}, section ${stated.section}: ${stated.text}`,
    ],
  ])}
  ${!isBrief ? seen : hasEvidence(result) ? leftOut : null}
  ${again === undefined ? null : commandView("run the case again", again, `${anchor}-again`)}`;
}

const firstView = (first: Telling["exchanges"][number], { isAlone, serve }: Telling, anchor: string) =>
  exchangeView(isAlone ? first : { ...first, replay: undefined }, `${anchor}-replay-1`, isAlone ? serve : undefined);

/** Of a row: each factor that has to have one of some values for the failure, and those with which the row passes. */
function valuesTable(combination: NonNullable<Telling["combination"]>) {
  if (combination.length === 0) return html`<p>It fails with every value that was tried.</p>`;
  const rows = combination.map(({ factor, values, right, passing = [] }) => [
    factor,
    firstNames(values, MOST_NAMES),
    right === 0 ? "none that was tried" : passing.length > 0 ? firstNames(passing, MOST_NAMES) : `${right} others`,
  ]);
  return html`<div class="values">${table(["factor", "fails with", "passes with"], rows)}</div>`;
}

const listed = (lines: readonly (readonly [string, Markup])[]) =>
  html`<dl class="told">
    ${lines.map(([name, content]) =>
      content
        ? html`<dt>${name}</dt>
            <dd>${content}</dd>`
        : null,
    )}
  </dl>`;

/** What else the report has of the case: other findings, what happened before, further exchanges and stories. */
function restOf(telling: Telling, { result, anchor, isBrief }: CaseEntry) {
  const { also, alone, reading, otherClauses, before = [], printed = [], seenIn = [] } = telling;
  const { otherStories = [], exchanges } = telling;
  const { ms, requests, findings = [] } = result;
  const more = otherStories.length - MOST_STORIES;
  // An invariant watches the requests of other cases and sends none itself.
  const sent = requests === 0 ? [] : [`${number(requests, "request")} in ${ms} ms`];
  const cost = [...sent, ...findings.slice(0, 1).map(({ signature }) => `signature: ${signature}`)].join("; ");
  const evidence = html`${otherStories.slice(0, MOST_STORIES).map(storyView)}
  ${more > 0 ? html`<p class="quiet">${more === 1 ? "1 more story is" : `${more} more stories are`} in the JSON report.</p>` : null}
  ${exchanges.slice(1).map((exchange, index) => exchangeView(exchange, `${anchor}-replay-${index + 2}`))} `;
  return html`${listed([
      ["also found", also.length === 0 ? undefined : also.map((text) => html`<p>${text}</p>`)],
      ["alone", alone],
      ["reading", reading],
      ["also about", firstNames(otherClauses, MOST_NAMES)],
      ["seen in", firstNames(seenIn, MOST_NAMES)],
      [
        "before",
        before.length <= MOST_BEFORE ? undefined : html`<pre>${earlierText(before, MOST_LINES).join("\n")}</pre>`,
      ],
      ["printed", printed.length === 0 ? undefined : html`<pre>${printed.join("\n")}</pre>`],
    ])}
    ${isBrief ? null : evidence}
    <p class="small quiet">${cost}</p>`;
}

const beforeView = (before: EarlierSteps) =>
  html`<h3>Before this request</h3>
    <pre>${earlierText(before, MOST_BEFORE).join("\n")}</pre>`;

function storyView(story: ReportedStory) {
  const lines = storyText(story);
  const left = lines.length - MOST_LINES;
  return html`<h3>The story: ${number(story.steps.length, "step")}</h3>
    ${left > 0 ? html`<p class="quiet">Its end; the JSON report has the ${left} lines before.</p>` : null}
    <pre>${lines.slice(-MOST_LINES).join("\n")}</pre>`;
}
