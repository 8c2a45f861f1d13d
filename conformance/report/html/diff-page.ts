/** The difference of two reports as a page. */
import { changeKinds, changeTitles, type Change, type ChangeKind, type ReportDiff } from "../diff.ts";
import type { Report, ReportedResult } from "../report.ts";
import { cutText, firstOf } from "./cut.ts";
import { difference } from "./difference.ts";
import { documentOf } from "./document.ts";
import { html } from "./markup.ts";
import { bar, colourOf, countsOf, tag } from "./outcomes.ts";

/** Of each kind. */
const SHOWN = 400;

export function renderDiffHtml(before: Report, after: Report, { changes, same, notes }: ReportDiff): string {
  const broken = changes.broken.length;
  const title = broken === 0 ? "Nothing broke" : `${broken} ${broken === 1 ? "case" : "cases"} broke`;
  const summary = changeKinds.flatMap((kind) => (changes[kind].length === 0 ? [] : `${changes[kind].length} ${kind}`));
  const body = html`<header class=${`verdict ${broken === 0 ? "o-pass" : "o-fail"}`}>
      <div>
        <p class="judgement">difference of two reports</p>
        <h1>${title}</h1>
        <p class="rests">${[...summary, `${same} alike`].join(", ")}.</p>
        ${firstOf(notes, 20).shown.map((note) => html`<p class="note">${cutText(note, 500)}</p>`)}
      </div>
    </header>
    <main>
      <section aria-labelledby="reports">
        <h2 id="reports">The reports</h2>
        ${reportLine("before", before)} ${reportLine("after", after)}
      </section>
      ${changeKinds.map((kind) => (changes[kind].length === 0 ? null : section(kind, changes[kind])))}
    </main>`;
  return documentOf(title, body);
}

function reportLine(which: string, report: Report) {
  const { target, profile, suite, startedAt, verdict, results } = report;
  const facts = [`profile ${profile}`, `suite ${suite.version}`, `${startedAt.slice(0, 16).replace("T", " ")} UTC`];
  return html`<h3>${which}: ${cutText(target.name, 200)}</h3>
    <p>
      <span class=${`tag ${colourOf(verdict.judgement)}`}
        >${verdict.partial ? "partial: " : ""}${verdict.judgement}</span
      >${" "}
      <span class="quiet">${cutText(facts.join(" · "), 300)}</span>
    </p>
    ${bar(countsOf(results))}`;
}

function section(kind: ChangeKind, changes: readonly Change[]) {
  const { shown, more } = firstOf(changes, SHOWN);
  return html`<section aria-labelledby=${`kind-${kind}`}>
    <h2 id=${`kind-${kind}`}>${changeTitles[kind]} (${changes.length})</h2>
    ${shown.map((change) => entry(kind, change))} ${more > 0 ? html`<p class="quiet">and ${more} more</p>` : null}
  </section>`;
}

function entry(kind: ChangeKind, { id, before, after }: Change) {
  const isOpen = kind === "broken" || kind === "changed";
  const shown = after ?? before;
  if (shown === undefined) return null;
  return html`<details class=${`case o-${shown.outcome}`} open=${isOpen}>
    <summary>
      ${tag(shown.outcome)}<b>${cutText(id, 200)}</b>
      <span class="level small quiet">${outcomes(before, after)}</span>
      <span class="title">${cutText(shown.title, 400)}</span>
    </summary>
    <div class="inside">
      ${kind === "changed" && before !== undefined ? [html`<h4>before</h4>`, seen(before), html`<h4>now</h4>`] : null}
      ${seen(shown)}
    </div>
  </details>`;
}

const outcomes = (before: ReportedResult | undefined, after: ReportedResult | undefined): string =>
  before === undefined ? "new" : after === undefined ? "gone" : `${before.outcome} → ${after.outcome}`;

function seen({ expected, actual = "", reason = "", outcome }: ReportedResult) {
  if (expected !== undefined) return difference(cutText(expected, 600), cutText(actual, 600));
  return html`<p class="quiet">${reason === "" ? `It ended as ${outcome}.` : cutText(reason, 600)}</p>`;
}
