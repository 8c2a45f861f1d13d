/** An exchange as something to paste into bash: a curl line, or raw bytes over nc where curl would hide the point. */
import { textOf, type Exchange } from "./exchange.ts";
import type { Redact } from "./redact.ts";

const MAX_BODY_TEXT = 2000;

/**
 * A line for bash with `$BASE_URL` and the secrets' variables in place of their values; secrets reach curl through a
 * file, never in its arguments.
 */
export function replayLine(exchange: Exchange, redact: Redact): string {
  return exchange.sentBytes === undefined ? curlLine(exchange, redact) : partialUpload(exchange, redact);
}

function curlLine({ request }: Exchange, redact: Redact): string {
  const words = ["curl -sS -i"];
  if (request.method === "HEAD") words.push("--head");
  else if (request.method !== "POST") words.push(`-X ${quote(request.method)}`);
  words.push(`"$BASE_URL"${quote(request.path)}`, "--path-as-is");
  for (const [name, value] of request.headers) words.push(headerWord(redact(`${name}: ${value}`)));
  if (request.chunked === true) words.push("-H 'transfer-encoding: chunked'");
  const body = bodyWords(request.body, redact);
  if (body.arguments !== "") words.push(body.arguments);
  return `${body.pipe}${words.join(" ")}`;
}

/** The head and the part of the body that was sent, then silence. */
function partialUpload({ request, sentBytes = 0 }: Exchange, redact: Redact): string {
  const length = request.chunked === true ? "transfer-encoding: chunked" : `content-length: ${request.body.byteLength}`;
  const lines = [`${request.method} ${request.path} HTTP/1.1`, "host: localhost"];
  for (const [name, value] of request.headers) lines.push(redact(`${name}: ${value}`));
  const head = [...lines, length].map((line) => `printf '%s\\r\\n' ${doubleQuote(line)};`).join(" ");
  const sent = request.body.subarray(0, Math.min(sentBytes, MAX_BODY_TEXT));
  const body = `printf '%s' ${doubleQuote(redact(new TextDecoder().decode(sent)))};`;
  return `{ ${head} printf '\\r\\n'; ${body} sleep 20; } | nc "\${BASE_URL#http://}" # host and port as two words`;
}

function bodyWords(body: Uint8Array, redact: Redact): { pipe: string; arguments: string } {
  if (body.byteLength === 0) return { pipe: "", arguments: "" };
  const text = new TextDecoder().decode(body);
  const trimmed = text.trimEnd();
  const isText = Buffer.from(text, "utf8").equals(body) && !text.includes("\0");
  if (isText && trimmed.length <= MAX_BODY_TEXT) {
    const padding = body.byteLength - Buffer.byteLength(trimmed);
    const json = doubleQuote(redact(trimmed));
    if (padding === 0) return { pipe: "", arguments: `--data-binary ${json}` };
    return { pipe: `{ printf '%s' ${json}; printf '%${padding}s' ''; } | `, arguments: "--data-binary @-" };
  }
  if (body.byteLength > MAX_BODY_TEXT) {
    return {
      pipe: `head -c ${body.byteLength} /dev/zero | `,
      arguments: "--data-binary @- # the body's own bytes are left out",
    };
  }
  return { pipe: `echo ${Buffer.from(body).toString("base64")} | base64 -d | `, arguments: "--data-binary @-" };
}

/** A header with a secret's variable goes through a file descriptor, so that no process list shows it. */
function headerWord(line: string): string {
  return line.includes("$WEBHOOKS_SECRET_") ? `-H @<(echo ${doubleQuote(line)})` : `-H ${quote(line)}`;
}

function quote(text: string): string {
  return /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Double quotes in which only the secrets' variables are expanded. */
function doubleQuote(text: string): string {
  if (!text.includes("$WEBHOOKS_SECRET_")) return quote(text);
  const escaped = text.replace(/[\\"`]|\$(?!WEBHOOKS_SECRET_)/g, (character) => `\\${character}`);
  return `"${escaped}"`;
}

/** The answer's body as text for people, at most `limit` characters. */
export function bodyExcerpt(exchange: Exchange, limit = 600): string {
  if (exchange.answer === undefined) return "";
  const text = textOf(exchange.answer);
  return text.length > limit ? `${text.slice(0, limit)}... (${exchange.answer.body.byteLength} bytes)` : text;
}
