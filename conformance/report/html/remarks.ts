/** What stands beside the cases, as the printed report has it: the baseline, what was not covered, and stderr. */
import { baselineBlock, notCoveredBlock, stderrBlock } from "../console-rest.ts";
import { number } from "../facts.ts";
import { painter } from "../paint.ts";
import type { Report } from "../report.ts";
import { capped } from "../telling-text.ts";
import { html, section } from "./markup.ts";

/** Of each part: anybody may have written the report. */
const MOST_LINES = 400;

export function remarks(report: Report) {
  const plain = painter(false);
  const blocks = [
    notCoveredBlock(report, plain, true),
    baselineBlock(report, plain, true),
    stderrBlock(report, plain, true),
  ];
  return blocks.map(([title, ...lines], index) => {
    if (title === undefined) return null;
    const shown = capped(lines, MOST_LINES, (left) => `... ${number(left, "more line")}`);
    return section(`beside-${index + 1}`, title, html`<pre>${shown.join("\n")}</pre>`);
  });
}
