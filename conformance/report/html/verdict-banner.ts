/** The top of the page: the verdict with the beginning and the end of the printed report, and where it broke. */
import { grouped } from "../../foundation/grouped.ts";
import { resultsOf, type Trouble } from "../causes.ts";
import { headline, summary } from "../console-summary.ts";
import { countsInWords, countsOf, judgementOf, minuteOf, type Counts } from "../facts.ts";
import { painter } from "../paint.ts";
import type { Report } from "../report.ts";
import { stopOf, way } from "../way.ts";
import { colourOf, html, section } from "./markup.ts";

export function verdictBanner(report: Report, troubles: readonly Trouble[]) {
  const { verdict, target, suite, clock, capabilities } = report;
  const plain = painter(false);
  const line = [
    `suite ${suite.version}`,
    `${minuteOf(report)} UTC`,
    clock === "both" ? "both clocks" : `${clock} clock`,
    `capabilities ${capabilities.join(", ") || "none but HTTP"}`,
  ];
  const lines = [...headline(report, troubles, plain), "", ...summary(report, troubles, plain, [])];
  return html`<header class=${`verdict ${colourOf(verdict.judgement)}`}>
    <div>
      <p class="judgement">${judgementOf(report).toLowerCase()}</p>
      <h1>${target.name}</h1>
      <p class="line quiet">${line.join(" · ")}</p>
      <pre>${lines.join("\n").trim()}</pre>
    </div>
  </header>`;
}

/** The stops of a request's way in their order, and how the cases about each ended; nothing where all is well. */
export function whereItBroke({ results }: Report, troubles: readonly Trouble[]) {
  if (troubles.length === 0) return null;
  // As the headings below count: a failure of the cause that showed first at another stop is counted there.
  const stopsOfTroubles = new Map(troubles.flatMap((trouble) => resultsOf(trouble).map((one) => [one, trouble.stop])));
  const byStop = grouped(results, (result) => stopsOfTroubles.get(result) ?? stopOf(result));
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
