/** What was seen, as it was: expected against actual, an answer beside its request, and the commands that show it again. */
import { applyEdits, format } from "jsonc-parser";
import { number } from "../facts.ts";
import type { ReportedResult } from "../report.ts";
import { foldedHeaders, splitHeaders } from "../telling.ts";
import { html } from "./markup.ts";

export const difference = (expected: string, actual: string, names = ["expected", "actual"]) =>
  html`<dl class="difference">
    <dt class="o-pass">${names[0]}</dt>
    <dd class="o-pass">${expected}</dd>
    <dt class="o-fail">${names[1]}</dt>
    <dd class="o-fail">${actual}</dd>
  </dl>`;

type Exchange = ReportedResult["exchanges"][number];
type Shown = Pick<NonNullable<Exchange["answer"]>, "headers" | "headersLeftOut" | "body">;

/** As far as the report has them. `anchor`: an id of its own on the page; `serve`: what has to run before it is sent again. */
export function exchangeView(exchange: Exchange, anchor: string, serve?: string) {
  const { request, answer, from, sentBytes, fault, replay } = exchange;
  const size = sentBytes === undefined ? `${request.bodyBytes} bytes` : `${sentBytes} of ${request.bodyBytes} bytes`;
  const isCommand = replay !== undefined && !replay.startsWith("# ");
  return html`<h4>answer</h4>
    <pre>${answer === undefined ? `none: ${fault ?? "nothing came"}` : answerText(answer)}</pre>
    <h4>sent from ${from}, body ${size}</h4>
    <pre>${textOf(`${request.method} ${request.path}`, request)}</pre>
    ${serve === undefined ? null : commandView("to send it again, serve the plugin first", serve, `${anchor}-serve`)}
    ${isCommand ? commandView("send it again", replay, anchor) : replay === undefined ? null : html`<p class="small quiet">${replay.slice(2)}</p>`}`;
}

function answerText(answer: NonNullable<Exchange["answer"]>): string {
  const { told, everyday } = splitHeaders(answer.headers);
  const rest = everyday.length > 0 ? `\n(not shown: ${everyday.join(", ")})` : "";
  return textOf(`${answer.status}`, { ...answer, headers: told }) + rest;
}

function textOf(first: string, { headers, headersLeftOut = 0, body }: Shown): string {
  const { single, folded } = foldedHeaders(headers);
  const more = headersLeftOut > 0 ? [`and ${number(headersLeftOut, "more header")}`] : [];
  return [first, ...single, ...more, ...folded, ...(body === "" ? [] : ["", indented(body)])].join("\n");
}

/** Reformats JSON, also where its end is cut off, without changing a character of its tokens; other text stays as it is. */
function indented(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  return applyEdits(text, format(text, undefined, { insertSpaces: true, tabSize: 2, eol: "\n" }));
}

/** A command that can be copied. `anchor`: an id of its own on the page. */
export const commandView = (what: string, line: string, anchor: string) =>
  html`<p class="caption">${what}</p>
    <div class="command">
      <pre id=${anchor}>${line}</pre>
      <button type="button" data-copy=${anchor} hidden aria-label=${`Copy: ${what}`}>Copy</button>
    </div>`;
