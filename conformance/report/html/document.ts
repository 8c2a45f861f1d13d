/** The shell of every page: one file that loads nothing, with a policy that lets nothing but its own style and script act. */
import { createHash } from "node:crypto";
import { html, markupText, type Markup } from "./markup.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

const hashOf = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const policy = [
  "default-src 'none'",
  `style-src ${hashOf(style)}`,
  `script-src ${hashOf(script)}`,
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** A whole page. Everything in `body` can be read without the script. */
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
