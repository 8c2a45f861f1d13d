/** One case: a line that says how it ended, and behind it what was judged, what was seen, and how to run it again. */
import { newSince } from "../../harness/new-case.ts";
import { ledger, type ClauseId } from "../../interface/clauses/index.ts";
import { againFor } from "../again.ts";
import type { Report, ReportedResult } from "../report.ts";
import { command } from "./command.ts";
import { cutText, firstOf } from "./cut.ts";
import { difference } from "./difference.ts";
import { exchangeView } from "./exchange.ts";
import { historyOf, type Earlier } from "./history.ts";
import { html } from "./markup.ts";
import { isFailure, tag } from "./outcomes.ts";
import { pictureOf } from "./pictures.ts";
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

export function caseEntry(
  { result, anchor, detail }: Shown,
  report: Report,
  earlier: readonly Earlier[],
  open = false,
) {
  const { id, title, outcome, level, since, clauses } = result;
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
      ${tag(outcome)}<b>${cutText(id, 200)}</b
      ><span class="level small quiet">${level}${since === undefined ? null : ", new"}</span>
      <span class="title">${cutText(title, 400)}</span>
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
  const { expected, actual = "", reason = "", seenIn = [], clauses, since, story, reading } = result;
  const broken = story?.replay?.clause;
  // A check's own reason only repeats expected and actual.
  const isRepeated = expected !== undefined && (reason === actual || reason.startsWith("expected "));
  const { shown, more } = firstOf(clauses, SHOWN_CLAUSES);
  const history = historyOf(result, report, earlier);
  return html`${expected === undefined ? null : difference(expected, actual)}
    <dl class="told">
      ${
        reason === "" || isRepeated
          ? null
          : html`<dt>why</dt>
              <dd>${cutText(reason, 2000)}</dd>`
      }
      ${
        broken === undefined
          ? null
          : html`<dt>broken</dt>
              <dd>${clauseLine(broken, true)}</dd>`
      }
      <dt>${clauses.length === 1 ? "clause" : "clauses"}</dt>
      <dd>
        ${shown.map((clause) => clauseLine(clause, isFailure(result) && clauses.length <= 4))}${more > 0 ? `and ${more} more` : null}
      </dd>
      ${
        since === undefined
          ? null
          : html`<dt>level</dt>
              <dd>${cutText(newSince(since), 200)}</dd>`
      }
      ${
        reading === undefined
          ? null
          : html`<dt>reading</dt>
              <dd>${cutText(reading, 1500)}</dd>`
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

function clauseLine(id: string, whole: boolean) {
  if (!Object.hasOwn(ledger, id)) return html`<p>${cutText(id, 200)}</p>`;
  const { text, section } = ledger[id as ClauseId];
  if (!whole) return html`<a href=${`#clause-${id}`}>${id}</a> `;
  return html`<p><a href=${`#clause-${id}`}>${id}</a>, section ${section}: ${text}</p>`;
}

function seen(ids: readonly string[]): string {
  const { shown, more } = firstOf(ids, 20);
  return cutText(shown.join(", "), 2000) + (more > 0 ? ` and ${more} more` : "");
}

/** What was seen, as it was: pictures, stories, exchanges, the table of cells. */
function evidence(result: ReportedResult, anchor: string) {
  const { story, otherStories = [], exchanges, requests, visits } = result;
  const { shown, more } = firstOf(exchanges, SHOWN_EXCHANGES);
  const stories = firstOf(otherStories, SHOWN_STORIES);
  const before = requests - exchanges.length;
  return html`${pictureOf(result)} ${story === undefined ? null : storyView(story, `${anchor}-story`)}
  ${stories.shown.map((other, index) => storyView(other, `${anchor}-story-${index + 2}`))}
  ${stories.more > 0 ? html`<p class="quiet">${stories.more} more stories are in the JSON report.</p>` : null}
  ${shown.length === 0 ? null : html`<h3>${shown.length === 1 ? "The exchange" : "The exchanges"}</h3>`}
  ${shown.map((exchange, index) => exchangeView(exchange, `${anchor}-replay-${index + 1}`))}
  ${more > 0 ? html`<p class="quiet">${more} more exchanges are in the JSON report.</p>` : null}
  ${
    before > 0 && exchanges.length > 0
      ? html`<p class="small quiet">
          The case sent ${before === 1 ? "1 more request" : `${before} more requests`} before; this line alone may not
          show the failure.
        </p>`
      : null
  }
  ${visits === undefined ? null : visitsTable(visits, !isFailure(result))}`;
}

function again(result: ReportedResult, report: Report, anchor: string) {
  const { outcome } = result;
  const line = outcome === "pass" || outcome === "not-applicable" ? undefined : againFor(result, report);
  const { ms, requests, signature } = result;
  const sent = `${requests} ${requests === 1 ? "request" : "requests"} in ${ms} ms`;
  const cost = signature === undefined ? sent : `${sent}; signature: ${signature}`;
  return html`${line === undefined ? null : command("run the case again", `npx ${line}`, `${anchor}-again`)}
    <p class="small quiet">${cutText(cost, 400)}</p>`;
}
