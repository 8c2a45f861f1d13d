/**
 * Markup as tagged templates. Preact escapes every interpolated text and attribute, so a text of a target stays text;
 * `dangerouslySetInnerHTML` stands in `document.ts` only, for the kit's own style and script.
 */
import type { ComponentChild, VNode } from "preact";
import { renderToString } from "preact-render-to-string";

export { html } from "htm/preact";

export type Markup = ComponentChild;

/** The markup as text, on one line but for line breaks in texts. */
export function textOf(markup: VNode): string {
  return renderToString(markup);
}
