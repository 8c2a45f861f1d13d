/** All cases: what needs attention first. */
import type { VNode } from "preact";
import { grouped } from "../../foundation/grouped.ts";
import { troubleTitle, type Trouble } from "../causes.ts";
import { countsInWords, countsOf, outcomeOrder, unreachedInWords } from "../facts.ts";
import type { Report, ReportedResult } from "../report.ts";
import { caseEntry, hasEvidence, type CaseEntry } from "./case-entry.ts";
import { html, section, markupText, type Markup } from "./markup.ts";

const titles: Readonly<Record<ReportedResult["outcome"], string>> = {
  fail: "Failed",
  warn: "Failed, as advice",
  error: "Errors of the harness",
  unreached: "Unreached",
  known: "Known deviations",
  pass: "Passed",
  "not-applicable": "Not applicable",
};

/** `room`: for all cases, bytes. `filters`: what stands above them. */
export function casesList(report: Report, troubles: readonly Trouble[], room: number, filters: Markup) {
  const failing = troubles.flatMap((trouble) => trouble.failing.flat());
  const told = new Set(failing);
  const others = outcomeOrder.flatMap((outcome) =>
    report.results.filter((result) => result.outcome === outcome && !told.has(result)),
  );
  const { views, brief } = drawnWithin(room, entriesOf([...failing, ...others], failing[0]), report);
  const leftOut = report.results.length - views.size;
  const drawn: Draw = (results) => results.flatMap((result) => views.get(result) ?? []);
  const shown = grouped(
    others.filter((result) => views.has(result)),
    ({ outcome }) => outcome,
  );
  return section(
    "cases",
    "Cases",
    filters,
    leftOut > 0
      ? html`<p class="note">
          The page would be too large with ${leftOut} further cases; the JSON report has all ${report.results.length}.
        </p>`
      : null,
    brief > 0
      ? html`<p class="note">${brief} cases are shown without their exchanges, to keep the page small.</p>`
      : null,
    html`<div>
      ${troubles.map((trouble, index) => troubleGroup(trouble, index, drawn))}
      ${[...shown].map(([outcome, members]) => outcomeGroup(outcome, members, drawn))}
    </div>`,
  );
}

type Draw = (results: readonly ReportedResult[]) => readonly Markup[];

/** Failures at one stop: the first cause, with what has it as well, then the others. */
function troubleGroup(trouble: Trouble, index: number, drawn: Draw) {
  const open = trouble.open.flat();
  if (trouble.failing.length === 0) return null;
  return html`<section class="group" aria-labelledby=${`trouble-${index + 1}`}>
    <h3 id=${`trouble-${index + 1}`}>${troubleTitle(trouble)}</h3>
    ${trouble.failing.map(([simplest, ...alike]) => [
      drawn([simplest]),
      followers(simplest.outcome === "fail" ? "also failing" : "also warned", drawn(alike)),
    ])}
    ${open.length === 0 ? null : html`<p class="quiet">${openInWords(open)}: see below.</p>`}
  </section>`;
}

function openInWords(open: readonly ReportedResult[]): string {
  const unreached = open.filter(({ outcome }) => outcome === "unreached");
  const errors = countsInWords(countsOf(open.filter(({ outcome }) => outcome !== "unreached")));
  const blocked = errors === "" ? [] : [`${errors} because of this`];
  return [...unreachedInWords(unreached, " because of this"), ...blocked].join(", ");
}

const followers = (what: string, drawn: readonly Markup[]) =>
  drawn.length === 0
    ? null
    : html`<div class="followers">
        <h4>${what}: ${drawn.length}</h4>
        ${drawn}
      </div>`;

function outcomeGroup(outcome: ReportedResult["outcome"], members: readonly ReportedResult[], drawn: Draw) {
  return html`<details class="group" open=${outcome === "error" || members.some(({ late }) => late === true)}>
    <summary><h3 id=${`group-${outcome}`}>${titles[outcome]}: ${members.length}</h3></summary>
    ${drawn(members)}
  </details>`;
}

/** A case's own id as its anchor, so that a link to it stays; a number where a report has it twice or in strange letters. */
function entriesOf(results: readonly ReportedResult[], open: ReportedResult | undefined): Omit<CaseEntry, "isBrief">[] {
  const used = new Set<string>();
  return results.map((result, index) => {
    const isOwn = /^[A-Z0-9-]{3,80}$/.test(result.id) && !used.has(result.id);
    used.add(result.id);
    return { result, anchor: isOwn ? result.id : `case-${index + 1}`, isOpen: result === open };
  });
}

/** The share of the room that cases with their exchanges may take; cases beyond it are shown without exchanges. */
const WHOLE = 0.92;

/** `all` is in the order of what matters most: what the room, in bytes, does not hold any more has no view. `brief`: how many are shown without their evidence. */
function drawnWithin(room: number, all: readonly Omit<CaseEntry, "isBrief">[], report: Report) {
  const views = new Map<ReportedResult, VNode>();
  let [size, brief] = [0, 0];
  const isDrawn = (entry: CaseEntry, limit: number): boolean => {
    const view = caseEntry(entry, report);
    const more = Buffer.byteLength(markupText(view));
    if (size + more > limit) return false;
    size += more;
    views.set(entry.result, view);
    return true;
  };
  for (const entry of all) {
    if (isDrawn({ ...entry, isBrief: false }, WHOLE * room)) continue;
    if (!isDrawn({ ...entry, isBrief: true }, room)) break;
    if (hasEvidence(entry.result)) brief += 1;
  }
  return { views, brief };
}
