/** The outcomes of cases as the pages show them, each by its word and its colour. */
import type { Outcome } from "../../harness/result.ts";
import { type Counts, countsInWords } from "../facts.ts";
import type { Report } from "../report.ts";
import { html } from "./markup.ts";

export function tag(outcome: Outcome) {
  return html`<span class=${`tag o-${outcome}`}>${outcome}</span>`;
}

const WIDTH = 1000;

/** Counts as one stacked bar. What passed stands first. */
export function bar(counts: Counts, height = 14) {
  const order = ["pass", "known", "not-applicable", "unreached", "error", "warn", "fail"] as const;
  const total = order.reduce((sum, outcome) => sum + (counts[outcome] ?? 0), 0);
  if (total === 0) return html`<span class="quiet small">no case</span>`;
  let x = 0;
  const pieces = order.flatMap((outcome) => {
    const count = counts[outcome] ?? 0;
    if (count === 0) return [];
    // A single failure among hundreds has to be seen.
    const width = Math.max(8, (WIDTH * count) / total);
    const place = { x: x.toFixed(1), width: width.toFixed(1) };
    x += width;
    return [html`<rect class=${`o-${outcome}`} ...${place} y="0" height=${height} />`];
  });
  return html`<svg
    class="bar"
    role="img"
    aria-label=${countsInWords(counts)}
    viewBox=${`0 0 ${x.toFixed(1)} ${height}`}
    width="100%"
    height=${height}
    preserveAspectRatio="none"
  >
    ${pieces}
  </svg>`;
}

/** A judgement has the colour of an outcome. */
export function colourOf(judgement: Report["verdict"]["judgement"]): string {
  return judgement === "conformant" ? "o-pass" : judgement === "not conformant" ? "o-fail" : "o-warn";
}
