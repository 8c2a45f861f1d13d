/**
 * Markup as tagged templates. Preact escapes every interpolated text and attribute, so a text of a target stays text;
 * `dangerouslySetInnerHTML` stands in `document.ts` only, for the kit's own style and script.
 */
import type { ComponentChild, VNode } from "preact";
import { renderToString } from "preact-render-to-string";

export { html } from "htm/preact";

export type Markup = ComponentChild;

/** The markup as text. Lines break inside end tags, where a break is no text: tools read a file by its lines. */
export function textOf(markup: VNode): string {
  return renderToString(markup).replaceAll(/<\/(details|summary|tr|p|li|dd|svg|option|section|text)>/g, "</$1\n>");
}
