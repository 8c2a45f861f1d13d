/** What stands beside the cases: the baseline, clauses that were not covered, and what the target wrote to stderr. */
import { clauseOf } from "../../interface/clauses/index.ts";
import type { Report } from "../report.ts";
import { cutText, firstOf } from "./cut.ts";
import { html } from "./markup.ts";

const SHOWN = 100;

export function baselineSection({ baseline, results }: Report) {
  if (baseline === undefined) return null;
  const faults = firstOf(baseline.faults, SHOWN);
  const entries = firstOf(baseline.entries, SHOWN);
  const outcomes = new Map(results.map(({ id, outcome }) => [id, outcome]));
  return html`<section aria-labelledby="baseline">
    <h2 id="baseline">Baseline</h2>
    ${faults.shown.map(
      ({ case: id, fault, said }) =>
        html`<p class="note"><strong>${cutText(id, 200)}</strong> is ${fault}: ${cutText(said, 500)}</p>`,
    )}
    <table>
      <thead>
        <tr>
          <th scope="col">case</th>
          <th scope="col">outcome</th>
          <th scope="col">why it is accepted</th>
          <th scope="col">until</th>
        </tr>
      </thead>
      <tbody>
        ${entries.shown.map(
          ({ case: id, reason, expires, link }) =>
            html`<tr>
              <th scope="row">${cutText(id, 200)}</th>
              <td>${outcomes.get(id) ?? "not run"}</td>
              <td>${cutText(reason, 500)} ${link === undefined ? null : linkTo(link)}</td>
              <td>${expires ?? ""}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${left(faults.more + entries.more)}
  </section>`;
}

/** Only what a browser may follow safely is a link; anything else stays a text. */
function linkTo(link: string) {
  const short = cutText(link, 300);
  return /^https?:\/\//.test(link) ? html`<a href=${link.slice(0, 500)} rel="noreferrer noopener">${short}</a>` : short;
}

export function notCoveredSection({ verdict, results }: Report) {
  const { shown, more } = firstOf(verdict.uncovered, SHOWN);
  if (shown.length === 0) return null;
  return html`<section aria-labelledby="uncovered">
    <h2 id="uncovered">Clauses that were not covered</h2>
    <p>A <code>must</code> clause that no case could judge makes a whole run incomplete.</p>
    <table>
      <thead>
        <tr>
          <th scope="col">clause</th>
          <th scope="col">why</th>
        </tr>
      </thead>
      <tbody>
        ${shown.map((id) => {
          const about = results.filter(({ clauses }) => clauses.includes(id));
          const open = about.find(({ outcome }) => outcome === "unreached" || outcome === "error");
          return html`<tr>
            <th scope="row">${cutText(id, 200)}</th>
            <td>
              ${clauseOf(id)?.text ?? ""}
              <p class="small quiet">${cutText((open ?? about[0])?.reason ?? "no case judged it", 300)}</p>
            </td>
          </tr>`;
        })}
      </tbody>
    </table>
    ${left(more)}
  </section>`;
}

const left = (more: number) => (more > 0 ? html`<p class="quiet">${more} more are in the JSON report.</p>` : null);

/** Characters of the end. */
const STDERR = 12_000;

export function stderrSection({ stderrTail }: Report) {
  const tail = stderrTail.trimEnd();
  if (tail === "") return null;
  return html`<section aria-labelledby="stderr">
    <h2 id="stderr">The target's stderr</h2>
    <details class="plain">
      <summary>The end of what the target wrote; routes named cold have no secret on purpose</summary>
      <pre>${tail.slice(-STDERR)}</pre>
    </details>
  </section>`;
}
