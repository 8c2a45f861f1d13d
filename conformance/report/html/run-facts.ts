/** The facts of the run that the top of the page leaves out. */
import type { Report } from "../report.ts";
import { failOnLevels } from "../verdict.ts";
import { cutText, firstOf } from "./cut.ts";
import { html } from "./markup.ts";

export function runFacts(report: Report) {
  const { suite, capabilities } = report;
  const facts: readonly (readonly [string, string])[] = [
    ["product", report.target.product],
    ["capabilities", cutText(capabilities.join(", ") || "HTTP only", 300)],
    ["levels that turn the run red", failOnLevels.slice(0, failOnLevels.indexOf(report.failOn) + 1).join(", ")],
    ["seeds of the properties", seeds(report)],
    ["cases of the suite", `${suite.cases}`],
    ["hash of the profile", report.profileHash],
    ["hash of the clauses", suite.ledger],
    ["hash of the cases", suite.catalogue],
  ];
  return html`<section aria-labelledby="run">
    <h2 id="run">The run</h2>
    <dl class="facts">
      ${facts.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${cutText(value, 300)}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}

function seeds({ depth }: Report): string {
  const { shown, more } = firstOf(depth?.seeds ?? [], 12);
  return shown.length === 0 ? "none" : `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
