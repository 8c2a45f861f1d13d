/** An answer and its request side by side, as far as the report has them, and the command that sends it again, if there is one. */
import type { ReportedResult } from "../report.ts";
import { foldedHeaders } from "../telling.ts";
import { command } from "./command.ts";
import { cutText, firstOf } from "./cut.ts";
import { indented } from "./indented.ts";
import { html } from "./markup.ts";

const SHOWN_HEADERS = 40;
const SHOWN_HEADER = 500;
const SHOWN_BODY = 2500;

type Exchange = ReportedResult["exchanges"][number];

/** `anchor`: an id of its own on the page. */
export function exchangeView(exchange: Exchange, anchor: string) {
  const { request, answer, from, sentBytes, fault, replay } = exchange;
  const size = sentBytes === undefined ? `${request.bodyBytes} bytes` : `${sentBytes} of ${request.bodyBytes} bytes`;
  return html`<div class="exchange">
      <div>
        <h4>${answer === undefined ? "answer" : `answer, body ${answer.bodyBytes} bytes`}</h4>
        ${
          answer === undefined
            ? html`<pre>none: ${fault ?? "nothing came"}</pre>`
            : html`<pre><span class="line">${answer.status}</span>${lines(answer.headers, answer.headersLeftOut)}${body(answer.body)}</pre>`
        }
      </div>
      <div>
        <h4>sent from ${from}, body ${size}</h4>
        <pre><span class="line">${request.method} ${request.path}</span>${lines(request.headers)}${body(request.body)}</pre>
      </div>
    </div>
    ${replay?.startsWith("# ") ? html`<p class="small quiet">${cutText(replay.slice(2), 1000)}</p>` : null}
    ${replay === undefined || replay.startsWith("# ") ? null : command("send it again", replay, anchor)}`;
}

function lines(headers: readonly (readonly [string, string])[], leftOut = 0): string {
  const { own, folded } = foldedHeaders(headers);
  const { shown, more } = firstOf(own, SHOWN_HEADERS);
  const unseen = more + leftOut;
  const texts = [...shown, ...(unseen > 0 ? [`and ${unseen} more headers`] : []), ...folded];
  return texts.map((text) => `\n${cutText(text, SHOWN_HEADER)}`).join("");
}

const body = (text: string) => (text === "" ? "" : `\n\n${indented(cutText(text, SHOWN_BODY))}`);
