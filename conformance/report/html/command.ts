/** A command that can be copied. */
import { cutText } from "./cut.ts";
import { html } from "./markup.ts";

/** `anchor`: an id of its own on the page. */
export function command(what: string, line: string, anchor: string) {
  return html`<h4>${what}</h4>
    <div class="command">
      <pre id=${anchor}>${cutText(line, 6000)}</pre>
      <button type="button" data-copy=${anchor} data-script hidden aria-label=${`Copy: ${what}`}>Copy</button>
    </div>`;
}
