/**
 * Markup as tagged templates. Preact escapes every interpolated text and attribute, so a text of a target stays text;
 * `dangerouslySetInnerHTML` stands in `documentOf` only, for the kit's own style and script.
 */
import { createHash } from "node:crypto";
import { html } from "htm/preact";
import type { ComponentChild, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Outcome } from "../../harness/result.ts";
import type { Report } from "../report.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

export { html };

export type Markup = ComponentChild;

/** The markup as text. Lines break inside end tags, where a break is no text: tools read a file by its lines. */
export function markupText(markup: VNode): string {
  return renderToString(markup).replaceAll(/<\/(details|summary|tr|p|li|dd|section)>/g, "</$1\n>");
}

/** A table whose rows are named by their first cell. */
export const table = (columns: readonly Markup[], rows: readonly (readonly Markup[])[]) =>
  html`<table>
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col">${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ([first, ...cells]) =>
          html`<tr>
            <th scope="row">${first}</th>
            ${cells.map((cell) => html`<td>${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;

/** A table that is wider than a phone: it scrolls by itself. */
export const scrolling = (label: string, content: Markup) =>
  html`<div class="scroll" tabindex="0" role="group" aria-label=${label}>${content}</div>`;

export const section = (id: string, title: string, ...content: readonly Markup[]) =>
  html`<section aria-labelledby=${id}>
    <h2 id=${id}>${title}</h2>
    ${content}
  </section>`;

export const tag = (outcome: Outcome) => html`<span class=${`tag o-${outcome}`}>${outcome}</span>`;

/** A judgement has the colour of an outcome. */
export function colourOf(judgement: Report["verdict"]["judgement"]): string {
  return judgement === "conformant" ? "o-pass" : judgement === "not conformant" ? "o-fail" : "o-warn";
}

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const policy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/**
 * A whole page: one file that loads nothing, with a policy that lets nothing but its own style and script act. Everything in
 * `body` can be read without the script.
 */
export function documentOf(title: string, body: Markup): string {
  const page = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta http-equiv="Content-Security-Policy" content=${policy} />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="referrer" content="no-referrer" />
      <meta name="color-scheme" content="light dark" />
      <title>${title}</title>
      <style dangerouslySetInnerHTML=${{ __html: style }}></style>
    </head>
    <body>
      ${body}
      <script dangerouslySetInnerHTML=${{ __html: script }}></script>
    </body>
  </html>`;
  return `<!doctype html>\n${markupText(page)}\n`;
}
