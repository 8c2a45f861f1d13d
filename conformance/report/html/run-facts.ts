/** The facts of the run that the top of the page leaves out. */
import { firstNames } from "../counts.ts";
import type { Report } from "../report.ts";
import { redLevels } from "../verdict.ts";
import { html } from "./markup.ts";

export function runFacts({ suite, target, capabilities, failOn, depth, profileHash }: Report) {
  const facts = {
    product: target.product,
    capabilities: capabilities.join(", ") || "HTTP only",
    "levels that turn the run red": redLevels(failOn).join(", "),
    "seeds of the properties": firstNames(depth?.seeds ?? [], 12) || "none",
    "cases of the suite": suite.cases,
    "hash of the profile": profileHash,
    "hash of the clauses": suite.ledger,
    "hash of the cases": suite.catalogue,
  };
  return html`<section aria-labelledby="run">
    <h2 id="run">The run</h2>
    <dl class="facts">
      ${Object.entries(facts).map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
  </section>`;
}
