/** The stops of a request's way in their order, and how the cases about each ended: where to look first. */
import { grouped } from "../../foundation/grouped.ts";
import type { Trouble } from "../causes.ts";
import { countsInWords, countsOf, type Counts } from "../counts.ts";
import type { Report } from "../report.ts";
import { stopOf, way } from "../way.ts";
import { html } from "./markup.ts";

/** Nothing where all is well. `troubles`: in the order in which the page tells them. */
export function whereItBroke({ results }: Report, troubles: readonly Trouble[]) {
  if (troubles.length === 0) return null;
  const byStop = grouped(results, stopOf);
  const stops = new Set([...way, ...byStop.keys()]);
  return html`<section aria-labelledby="broke">
    <h2 id="broke">Where it broke</h2>
    <p class="quiet">What a request goes through, in order. A fault at one stop can hide what comes behind it.</p>
    <ol class="way">
      ${[...stops].map((stop) => {
        const counts = countsOf(byStop.get(stop) ?? []);
        const place = troubles.findIndex((trouble) => trouble.stop === stop && trouble.failing.length > 0);
        const title = place < 0 ? stop.title : html`<a href=${`#trouble-${place + 1}`}>${stop.title}</a>`;
        return html`<li class=${`o-${worstOf(counts)}`}>
          <strong>${title}</strong><br />${countsInWords(counts) || "not judged"}
        </li>`;
      })}
    </ol>
  </section>`;
}

const worst = ["fail", "error", "unreached", "warn", "known", "pass"] as const;

const worstOf = (counts: Counts) => worst.find((outcome) => counts[outcome]) ?? "not-applicable";
