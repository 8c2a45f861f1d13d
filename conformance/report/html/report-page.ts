/** A report as one HTML page, for people: the verdict, where it broke, every case, and what the verdict rests on. */
import { grouped } from "../../foundation/grouped.ts";
import { resultsOf, troublesOf, type Trouble } from "../causes.ts";
import { baselineBlock, notCoveredBlock, stderrBlock } from "../console-rest.ts";
import { reasonsOf, summary } from "../console-summary.ts";
import { countsInWords, countsOf, firstNames, judgementOf, minuteOf, number, type Counts } from "../facts.ts";
import type { Report } from "../report.ts";
import { capped } from "../telling-text.ts";
import { ELSEWHERE, stopOf, stops } from "../way.ts";
import { atWidth, oneLine, painter } from "../wrap.ts";
import { casesList } from "./cases-list.ts";
import { commandView } from "./evidence.ts";
import { colourOf, documentOf, html, section, type Markup } from "./markup.ts";

/** Bytes of a whole page. */
const PAGE_LIMIT = 1_500_000;
/** Kept free for headings, reasons and groups around the cases, bytes. */
const AROUND_CASES = 60_000;

/** Lines and characters of a section, and capabilities by name: bounds for a report from an untrusted file. */
const [MOST_LINES, MOST_CHARACTERS, MOST_NAMES] = [400, 60_000, 20];

/** Characters of the first cause. */
const MOST_REASON = 400;

/** The page loads nothing, so it can be opened from a file and kept as an artefact. */
export function renderHtml(report: Report): string {
  const troubles = troublesOf(report);
  const filters = filter(report);
  const room = PAGE_LIMIT - Buffer.byteLength(pageOf(report, troubles, filters)) - AROUND_CASES;
  return pageOf(report, troubles, casesList(report, troubles, room, filters));
}

function pageOf(report: Report, troubles: readonly Trouble[], cases: Markup): string {
  const body = html`<a class="skip" href="#cases">Skip to the cases</a>
    ${verdictBanner(report, troubles)}
    <main>${whereItBroke(report, troubles)} ${cases} ${remarks(report)} ${restsOn(report, troubles)}</main>
    <footer>
      <p>
        Made from a JSON report by webhooks-conformance. The texts of clauses are those of the suite that made this
        page.
      </p>
    </footer>`;
  return documentOf(`${judgementOf(report).toLowerCase()}: ${report.target.name}`, body);
}

/** What stands beside the cases, as the printed report has it: the baseline, what was not covered, and stderr. */
function remarks(report: Report) {
  return [notCoveredBlock, baselineBlock, stderrBlock].map((block, index) => {
    const [title, ...lines] = atWidth(Infinity, () => block(report, painter(false), true));
    if (title === undefined) return null;
    return section(`beside-${index + 1}`, title, printed(lines));
  });
}

function restsOn(report: Report, troubles: readonly Trouble[]) {
  const lines = atWidth(Infinity, () => summary(report, troubles, painter(false), { verbose: true }));
  return section("rests", "What the verdict rests on", printed(lines));
}

/** Lines of the printed report, which the browser wraps. */
function printed(lines: readonly string[]) {
  const shown = capped(lines, MOST_LINES, (left) => `... ${number(left, "more line")}`);
  return html`<pre>${shown.map((line) => oneLine(line, MOST_CHARACTERS / shown.length)).join("\n")}</pre>`;
}

function verdictBanner(report: Report, troubles: readonly Trouble[]) {
  const { verdict, target, suite, clock, capabilities } = report;
  const line = [
    `suite ${suite.version}`,
    `${minuteOf(report)} UTC`,
    clock === "both" ? "both clocks" : `${clock} clock`,
    `capabilities ${firstNames(capabilities, MOST_NAMES) || "none but HTTP"}`,
  ];
  const reasons = reasonsOf(report, troubles);
  const why =
    reasons === undefined
      ? html`${number(report.results.length, "case")}: ${countsInWords(verdict.counts)}.`
      : html`<strong>${reasons.counts}</strong> ${oneLine(reasons.first, MOST_REASON)}`;
  return html`<header class=${`verdict ${colourOf(verdict.judgement)}`}>
    <div>
      <p class="judgement">${judgementOf(report).toLowerCase()}</p>
      <h1>${target.name}</h1>
      <p class="why">${why}</p>
      ${reasons?.next === undefined ? null : commandView("Run this case again", reasons.next, "next")}
      <p class="line quiet">${line.join(" · ")}</p>
    </div>
  </header>`;
}

/** The stops of a request's way in their order, and how the cases about each ended; nothing where all is well. */
function whereItBroke({ results }: Report, troubles: readonly Trouble[]) {
  if (troubles.length === 0) return null;
  // As the headings below count: a failure of the cause that showed first at another stop is counted there.
  const stopsOfTroubles = new Map(troubles.flatMap((trouble) => resultsOf(trouble).map((one) => [one, trouble.stop])));
  const byStop = grouped(results, (result) => stopsOfTroubles.get(result) ?? stopOf(result));
  const items = stops.flatMap((stop) => {
    if (stop === ELSEWHERE && !byStop.has(stop)) return [];
    const counts = countsOf(byStop.get(stop) ?? []);
    const place = troubles.findIndex((trouble) => trouble.stop === stop && trouble.failing.length > 0);
    const title = place < 0 ? stop : html`<a href=${`#trouble-${place + 1}`}>${stop}</a>`;
    return html`<li class=${`o-${worstOf(counts)}`}>
      <strong>${title}</strong><br />${countsInWords(counts) || "not judged"}
    </li>`;
  });
  const about = "What a request goes through, in order. A fault at one stop can hide what comes behind it.";
  return section(
    "broke",
    "Where it broke",
    html`<p class="quiet">${about}</p>`,
    html`<ol class="way">
      ${items}
    </ol>`,
  );
}

const worst = ["fail", "error", "unreached", "warn", "known", "pass"] as const;

const worstOf = (counts: Counts) => worst.find((outcome) => counts[outcome]) ?? "not-applicable";

/** Bounds for a report from an untrusted file. */
const [MOST_CLAUSES, LONGEST_CLAUSE] = [400, 60];

/** The filter of the cases: by outcome, clause and text. Only the script can filter, so the page hides it without one. */
function filter({ results }: Report) {
  const clauses = [...new Set(results.flatMap((result) => result.clauses))].toSorted().slice(0, MOST_CLAUSES);
  const outcomes = Object.entries(countsOf(results));
  return html`<div class="filter" role="search" aria-label="Filter the cases" hidden>
    <label>
      Outcome
      <select>
        <option value="">all ${results.length}</option>
        ${outcomes.map(([outcome, count]) => html`<option value=${outcome}>${count} ${outcome}</option>`)}
      </select>
    </label>
    <label>
      Clause
      <select>
        <option value="">all</option>
        ${clauses.map((clause) => html`<option value=${clause}>${oneLine(clause, LONGEST_CLAUSE)}</option>`)}
      </select>
    </label>
    <label class="text">Text <input type="search" placeholder="case, header, code, value" /></label>
    <button type="button">Show all</button>
    <span role="status"></span>
  </div>`;
}
