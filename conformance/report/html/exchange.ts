/** An answer and its request side by side, as far as the report has them, and the command that sends it again, if there is one. */
import type { ReportedResult } from "../report.ts";
import { foldedHeaders } from "../telling.ts";
import { command } from "./command.ts";
import { indented } from "./indented.ts";
import { html } from "./markup.ts";

type Exchange = ReportedResult["exchanges"][number];
type Shown = Pick<NonNullable<Exchange["answer"]>, "headers" | "headersLeftOut" | "body">;

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
            : html`<pre><span class="line">${answer.status}</span>${lines(answer)}</pre>`
        }
      </div>
      <div>
        <h4>sent from ${from}, body ${size}</h4>
        <pre><span class="line">${request.method} ${request.path}</span>${lines(request)}</pre>
      </div>
    </div>
    ${replay?.startsWith("# ") ? html`<p class="small quiet">${replay.slice(2)}</p>` : null}
    ${replay === undefined || replay.startsWith("# ") ? null : command("send it again", replay, anchor)}`;
}

function lines({ headers, headersLeftOut = 0, body }: Shown): string {
  const { single, folded } = foldedHeaders(headers);
  const more = headersLeftOut > 0 ? [`and ${headersLeftOut} more headers`] : [];
  return [...single, ...more, ...folded, ...(body === "" ? [] : ["", indented(body)])]
    .map((text) => `\n${text}`)
    .join("");
}
