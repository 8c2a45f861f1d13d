/** The outcomes of cases as the pages show them: in this order, each by its word and its colour. */
import type { Outcome } from "../../harness/result.ts";
import type { Report } from "../report.ts";
import { html } from "./markup.ts";

/** What needs attention first. */
export const outcomeOrder = ["fail", "warn", "error", "unreached", "known", "pass", "not-applicable"] as const;

export type Counts = Readonly<Partial<Record<Outcome, number>>>;

export function countsOf(results: readonly { readonly outcome: Outcome }[]): Counts {
  const counts: Partial<Record<Outcome, number>> = {};
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

export const isFailure = ({ outcome }: { readonly outcome: Outcome }) => outcome === "fail" || outcome === "warn";

export function tag(outcome: Outcome) {
  return html`<span class=${`tag o-${outcome}`}>${outcome}</span>`;
}

const words = (counts: Counts): string =>
  outcomeOrder.flatMap((outcome) => (counts[outcome] ? [`${counts[outcome]} ${outcome}`] : [])).join(", ");

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
    const piece = html`<rect
      class=${`o-${outcome}`}
      x=${x.toFixed(1)}
      y="0"
      width=${width.toFixed(1)}
      height=${height}
    />`;
    x += width;
    return [piece];
  });
  return html`<svg
    class="bar"
    role="img"
    aria-label=${words(counts)}
    viewBox=${`0 0 ${x.toFixed(1)} ${height}`}
    width="100%"
    height=${height}
    preserveAspectRatio="none"
  >
    ${pieces}
  </svg>`;
}

export function legend(counts: Counts) {
  return html`<ul class="legend">
    ${outcomeOrder.flatMap((outcome) => {
      const count = counts[outcome] ?? 0;
      return count === 0
        ? []
        : [html`<li class=${`o-${outcome}`}><span class="key"></span><strong>${count}</strong> ${outcome}</li>`];
    })}
  </ul>`;
}

/** A judgement has the colour of an outcome. */
export function colourOf(judgement: Report["verdict"]["judgement"]): string {
  return judgement === "conformant" ? "o-pass" : judgement === "not conformant" ? "o-fail" : "o-warn";
}
