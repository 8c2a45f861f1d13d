/** A command that can be copied; a long one is folded. */
import { html } from "./markup.ts";

/** Characters of a command that is shown as it is. */
const SHORT = 240;

/** `anchor`: an id of its own on the page. */
export function command(what: string, line: string, anchor: string) {
  const copied = html`<div class="command">
    <pre id=${anchor}>${line}</pre>
    <button type="button" data-copy=${anchor} data-script hidden aria-label=${`Copy: ${what}`}>Copy</button>
  </div>`;
  if (line.length <= SHORT)
    return html`<h4>${what}</h4>
      ${copied}`;
  return html`<details class="plain">
    <summary class="small">${what} (${line.length} characters)</summary>
    ${copied}
  </details>`;
}
