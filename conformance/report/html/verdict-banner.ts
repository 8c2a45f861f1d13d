/** The top of the page: the verdict, what it rests on, and where it broke. */
import { grouped } from "../../foundation/grouped.ts";
import { firstOf, type Trouble } from "../causes.ts";
import {
  countsInWords,
  countsOf,
  firstNames,
  minuteOf,
  number,
  remarksOn,
  secondsOf,
  wrongIn,
  type Counts,
} from "../facts.ts";
import type { Report } from "../report.ts";
import { inOneSentence, tellingOf } from "../telling.ts";
import { stopOf, way } from "../way.ts";
import { html, section } from "./markup.ts";
import { bar, colourOf } from "./outcomes.ts";

export function verdictBanner(report: Report, [trouble]: readonly Trouble[]) {
  const { verdict, target, profile, suite } = report;
  const counts = countsOf(report.results);
  const first = trouble && firstOf(trouble);
  const telling = first && tellingOf(first, report);
  const line = [
    `profile ${profile}`,
    `suite ${suite.version}`,
    report.clock === "both" ? "both clocks" : `${report.clock} clock`,
    secondsOf(report),
    `${minuteOf(report)} UTC`,
    `exit code ${verdict.exitCode}, failing on ${report.failOn}`,
    `seeds ${firstNames(report.depth?.seeds ?? [], 12) || "none"}`,
    `capabilities ${report.capabilities.join(", ") || "none but HTTP"}`,
  ];
  return html`<header class=${`verdict ${colourOf(verdict.judgement)}`}>
    <div>
      <p class="judgement">${verdict.partial ? "partial: " : ""}${verdict.judgement}</p>
      <h1>${target.name}</h1>
      ${
        telling === undefined
          ? null
          : html`<p class="first">${telling.title}: <strong>${inOneSentence(telling)}</strong></p>`
      }
      <p class="rests">${restsOn(report)}</p>
      ${bar(counts, 18)}
      <p>${countsInWords(counts)}</p>
      <p class="line quiet">${line.join(" · ")}</p>
      ${[...remarksOn(report), ...report.notes].map((note) => html`<p class="note">${note}</p>`)}
    </div>
  </header>`;
}

/** In sentences: how much was judged, and what stays open. */
function restsOn(report: Report): string {
  const { results, baseline, verdict, suite } = report;
  return [
    `${results.length} of ${suite.cases} cases.`,
    ...wrongIn(report).map((wrong) => `${wrong}.`),
    ...(verdict.uncovered.length > 0 ? [`${number(verdict.uncovered.length, "clause")} not covered.`] : []),
    ...(baseline === undefined ? [] : [`In the baseline: ${number(baseline.entries.length, "known deviation")}.`]),
  ].join(" ");
}

/** The stops of a request's way in their order, and how the cases about each ended; nothing where all is well. */
export function whereItBroke({ results }: Report, troubles: readonly Trouble[]) {
  if (troubles.length === 0) return null;
  const byStop = grouped(results, stopOf);
  const stops = new Set([...way, ...byStop.keys()]);
  const items = [...stops].map((stop) => {
    const counts = countsOf(byStop.get(stop) ?? []);
    const place = troubles.findIndex((trouble) => trouble.stop === stop && trouble.failing.length > 0);
    const title = place < 0 ? stop.title : html`<a href=${`#trouble-${place + 1}`}>${stop.title}</a>`;
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
