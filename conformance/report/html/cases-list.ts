/** All cases: what needs attention first, with a filter where there is a script. */
import { ledger } from "../../interface/clauses/index.ts";
import type { Level } from "../../interface/level.ts";
import { likelyFollowing, otherCauses, type Trouble } from "../causes.ts";
import { countedIn } from "../console-trouble.ts";
import type { Report, ReportedResult } from "../report.ts";
import { sectionOf, sectionTitle } from "../section.ts";
import { caseEntry, hasEvidence, type Shown } from "./case-entry.ts";
import { firstOf } from "./cut.ts";
import { fit } from "./fit.ts";
import type { Earlier } from "./history.ts";
import { filterEnd } from "./filter-end.ts";
import { html, type Markup } from "./markup.ts";
import { countsOf, outcomeOrder, type Counts } from "./outcomes.ts";

const titles: Readonly<Record<ReportedResult["outcome"], string>> = {
  fail: "Failed",
  warn: "Failed, as advice",
  error: "Errors of the harness",
  unreached: "Unreached",
  known: "Known deviations",
  pass: "Passed",
  "not-applicable": "Not applicable",
};

const levels: readonly Level[] = ["must", "should", "gap"];

/** `room`: for all cases, bytes. */
export function casesList(report: Report, troubles: readonly Trouble[], earlier: readonly Earlier[], room: number) {
  const failing = troubles.flatMap((trouble) => trouble.failing.flat());
  const told = new Set(failing);
  const others = outcomeOrder.flatMap((outcome) =>
    report.results.filter((result) => result.outcome === outcome && !told.has(result)),
  );
  const [first] = failing;
  const draw = (one: Shown) => caseEntry(one, report, earlier, one.result === first);
  const { shown, leftOut } = fit(anchored([...failing, ...others]), draw, room);
  const brief = shown.filter(({ result, detail }) => detail === "brief" && hasEvidence(result)).length;
  const counts = countsOf(shown.map(({ result }) => result));
  const entries = new Map(shown.map((one) => [one.result, one]));
  return html`<section aria-labelledby="cases">
    <h2 id="cases">Cases</h2>
    ${leftOut > 0 ? html`<p class="note">The page would be too large with ${leftOut} further cases; the JSON report has all ${report.results.length}.</p>` : null}
    ${brief > 0 ? html`<p class="note">${brief} cases are shown without their exchanges, to keep the page small.</p>` : null}
    <div id="list">
      ${troubles.map((trouble, index) => troubleGroup(trouble, index, entries, draw))} ${filter(counts, shown)}
      ${outcomeOrder.map((outcome) =>
        outcomeGroup(
          outcome,
          shown.filter(({ result }) => result.outcome === outcome && !told.has(result)),
          draw,
        ),
      )}
    </div>
  </section>`;
}

type Draw = (one: Shown) => Markup;

/** Failures at one stop: the first cause, with what has it as well, then the others. */
function troubleGroup(trouble: Trouble, index: number, entries: ReadonlyMap<ReportedResult, Shown>, draw: Draw) {
  const drawn = (results: readonly ReportedResult[]) =>
    results.flatMap((result) => {
      const entry = entries.get(result);
      return entry === undefined ? [] : [draw(entry)];
    });
  const likely = likelyFollowing(trouble);
  const all = [...trouble.failing.flat(), ...trouble.open.flat()];
  const [first] = trouble.failing;
  if (first === undefined) return null;
  return html`<section class="group" data-group aria-labelledby=${`trouble-${index + 1}`}>
    <h3 id=${`trouble-${index + 1}`}>${trouble.stop.title}: ${countedIn(all)}</h3>
    ${[first, ...otherCauses(trouble)].map(([one, ...alike], place) => [
      drawn([one]),
      followers(one.outcome === "fail" ? "also failing" : "also warned", drawn(alike)),
      place === 0 ? followers("may have the same cause", drawn(likely.flat())) : null,
    ])}
    ${trouble.open.length === 0 ? null : html`<p class="quiet">${countedIn(trouble.open.flat())} because of this: see below.</p>`}
  </section>`;
}

const followers = (what: string, drawn: readonly Markup[]) =>
  drawn.length === 0
    ? null
    : html`<div class="followers">
        <h4>${what}: ${drawn.length}</h4>
        ${drawn}
      </div>`;

function outcomeGroup(outcome: ReportedResult["outcome"], members: readonly Shown[], draw: Draw) {
  if (members.length === 0) return null;
  return html`<details class="group" data-group open=${outcome === "error"}>
    <summary><h3 id=${`group-${outcome}`}>${titles[outcome]}: ${members.length}</h3></summary>
    ${isOpen(outcome) ? reasons(members) : null} ${members.map(draw)}
  </details>`;
}

const isOpen = (outcome: ReportedResult["outcome"]) => outcome === "unreached" || outcome === "not-applicable";

const SHOWN_REASONS = 6;

/** Why cases were not judged, the most frequent reason first: many have the same. */
function reasons(members: readonly Shown[]) {
  const counts = new Map<string, number>();
  for (const { result } of members) counts.set(result.reason ?? "", (counts.get(result.reason ?? "") ?? 0) + 1);
  const { shown, more } = firstOf(
    [...counts].toSorted(([, a], [, b]) => b - a),
    SHOWN_REASONS,
  );
  return html`<ul class="quiet reasons">
    ${shown.map(([reason, count]) => html`<li>${count}: ${reason}</li>`)}
    ${more > 0 ? html`<li>and ${more} other reasons</li>` : null}
  </ul>`;
}

/** A case's own id, so that a link to it stays; a number where a report has it twice or in strange letters. */
function anchored(results: readonly ReportedResult[]): Omit<Shown, "detail">[] {
  const used = new Set<string>();
  return results.map((result, index) => {
    const isOwn = /^[A-Z0-9-]{3,80}$/.test(result.id) && !used.has(result.id);
    used.add(result.id);
    return { result, anchor: isOwn ? result.id : `case-${index + 1}` };
  });
}

function filter(counts: Counts, shown: readonly Shown[]) {
  const about = new Set(shown.flatMap(({ result }) => result.clauses));
  const bySection = new Map<number, string[]>();
  for (const id of Object.keys(ledger).filter((clause) => about.has(clause))) {
    const section = sectionOf({ clauses: [id] });
    bySection.set(section, [...(bySection.get(section) ?? []), id]);
  }
  return html`<form class="filter" data-filter="list" data-script hidden aria-label="Filter the cases">
    <fieldset>
      <legend>outcome</legend>
      ${outcomeOrder.map((outcome) =>
        counts[outcome] === undefined
          ? null
          : html`<label
              ><input type="checkbox" name="outcome" value=${outcome} checked /> ${outcome} (${counts[outcome]})</label
            >`,
      )}
    </fieldset>
    <fieldset>
      <legend>level</legend>
      ${levels.map((level) => html`<label><input type="checkbox" name="level" value=${level} checked /> ${level}</label>`)}
    </fieldset>
    <div>
      <label class="above" for="filter-clause">clause</label>
      <select id="filter-clause" name="clause">
        <option value="">any clause</option>
        ${[...bySection].map(
          ([section, ids]) =>
            html`<optgroup label=${sectionTitle(section)}>
              ${ids.map((id) => html`<option value=${id}>${id}</option>`)}
            </optgroup>`,
        )}
      </select>
    </div>
    ${filterEnd("id, title or clause", "shown")}
  </form>`;
}
