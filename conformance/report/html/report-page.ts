/** A report as one HTML page, for people: the verdict, what it rests on, pictures, and every case. */
import type { Report } from "../report.ts";
import { casesList } from "./cases-list.ts";
import { clausesList } from "./clauses-list.ts";
import { cutText } from "./cut.ts";
import { documentOf } from "./document.ts";
import { earlierOf } from "./history.ts";
import { html, textOf, type Markup } from "./markup.ts";
import { measuresTable } from "./measures-table.ts";
import { baselineSection, notCoveredSection, stderrSection } from "./remarks.ts";
import { runFacts } from "./run-facts.ts";
import { sectionsTable } from "./sections-table.ts";
import { stagesOverview } from "./stages-picture.ts";
import { statesOverview } from "./states-picture.ts";
import { verdictBanner } from "./verdict-banner.ts";

/** Bytes of a whole page. */
export const PAGE_LIMIT = 1_500_000;
/** For the filter, headings and reasons, bytes. */
const AROUND_CASES = 60_000;

/** `earlier`: reports of the same target from before, for the history of each case. The page loads nothing. */
export function renderHtml(report: Report, earlier: readonly Report[] = []): string {
  const without = Buffer.byteLength(pageOf(report, null));
  return pageOf(report, casesList(report, earlierOf(earlier), PAGE_LIMIT - without - AROUND_CASES));
}

function pictures(report: Report) {
  const drawn = html`<div>${stagesOverview(report)} ${statesOverview(report)}</div>`;
  const broke = /class="[^"]*\bbad\b/.test(textOf(drawn));
  return html`<section aria-labelledby="pictures">
    <h2 id="pictures">${broke ? "Where it broke" : "The checks and the states"}</h2>
    ${drawn}
  </section>`;
}

function pageOf(report: Report, cases: Markup): string {
  const { verdict, target } = report;
  const body = html`<a class="skip" href="#cases">Skip to the cases</a>
    ${verdictBanner(report)}
    <main>
      ${cases} ${notCoveredSection(report)} ${baselineSection(report)} ${sectionsTable(report)} ${measuresTable(report)}
      ${pictures(report)} ${clausesList(report)} ${stderrSection(report)} ${runFacts(report)}
    </main>
    <footer>
      <p>
        Made from a JSON report by webhooks-conformance. The texts of clauses are those of the suite that made this
        page.
      </p>
    </footer>`;
  return documentOf(`${verdict.judgement}: ${cutText(target.name, 100)}`, body);
}
