/** Expected against actual, one above the other, with the words marked in which they differ. */
import { diffWordsWithSpace } from "diff";
import { html, type Markup } from "./markup.ts";

/** Texts that share less than this have nothing to compare word by word. */
const LEAST_SHARED = 0.25;
/** Edits after which the comparison is given up. */
const MOST_EDITS = 100;

/** `names`: what the two are called. */
export function difference(expected: string, actual: string, names = ["expected", "actual"]) {
  const [left, right] = marked(expected, actual);
  return html`<dl class="difference">
    <dt class="expected">${names[0]}</dt>
    <dd class="expected">${left}</dd>
    <dt class="actual">${names[1]}</dt>
    <dd class="actual">${right}</dd>
  </dl>`;
}

function marked(expected: string, actual: string): [Markup, Markup] {
  const pieces = diffWordsWithSpace(expected, actual, { maxEditLength: MOST_EDITS });
  if (pieces === undefined) return [expected, actual];
  const shared = pieces.filter(({ added, removed }) => !added && !removed).map(({ value }) => value.trim());
  if (shared.join("").length < LEAST_SHARED * Math.max(expected.length, actual.length)) return [expected, actual];
  const side = (own: "added" | "removed", other: "added" | "removed") =>
    pieces
      .filter((piece) => !piece[other])
      .map((piece) => (piece[own] ? html`<mark>${piece.value}</mark>` : piece.value));
  return [side("removed", "added"), side("added", "removed")];
}
