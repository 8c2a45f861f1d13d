/** A report as one HTML page, for people: the verdict, where it broke, every case, and what the verdict rests on. */
import { troublesOf, type Trouble } from "../causes.ts";
import { baselineBlock, notCoveredBlock, stderrBlock } from "../console-rest.ts";
import { judgementOf, number } from "../facts.ts";
import { painter } from "../paint.ts";
import type { Report } from "../report.ts";
import { capped } from "../telling-text.ts";
import { casesList } from "./cases-list.ts";
import { documentOf } from "./document.ts";
import { fitted } from "./fit.ts";
import { html, section, type Markup } from "./markup.ts";
import { verdictBanner, whereItBroke } from "./verdict-banner.ts";

/** Bytes of a whole page. */
const PAGE_LIMIT = 1_500_000;
/** For headings and reasons, bytes. */
const AROUND_CASES = 60_000;

/** Of each remark: anybody may have written the report. */
const MOST_LINES = 400;

/** The page loads nothing. */
export function renderHtml(whole: Report): string {
  const report = fitted(whole);
  const troubles = troublesOf(report);
  const room = PAGE_LIMIT - Buffer.byteLength(pageOf(report, troubles, null)) - AROUND_CASES;
  return pageOf(report, troubles, casesList(report, troubles, room));
}

function pageOf(report: Report, troubles: readonly Trouble[], cases: Markup): string {
  const body = html`<a class="skip" href="#cases">Skip to the cases</a>
    ${verdictBanner(report, troubles)}
    <main>${whereItBroke(report, troubles)} ${cases} ${remarks(report)}</main>
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
    const [title, ...lines] = block(report, painter(false), true);
    if (title === undefined) return null;
    const shown = capped(lines, MOST_LINES, (left) => `... ${number(left, "more line")}`);
    return section(`beside-${index + 1}`, title, html`<pre>${shown.join("\n")}</pre>`);
  });
}
