/** The outcomes of cases as the pages show them, each by its word and its colour. */
import type { Outcome } from "../../harness/result.ts";
import type { Report } from "../report.ts";
import { html } from "./markup.ts";

export function tag(outcome: Outcome) {
  return html`<span class=${`tag o-${outcome}`}>${outcome}</span>`;
}

/** A judgement has the colour of an outcome. */
export function colourOf(judgement: Report["verdict"]["judgement"]): string {
  return judgement === "conformant" ? "o-pass" : judgement === "not conformant" ? "o-fail" : "o-warn";
}
