/** An exchange as something to paste into bash: a curl line, or raw bytes over a socket where curl would hide the point. */
import type { Exchange } from "./exchange.ts";
import type { Hidden, Piece, Redact } from "./redact.ts";

const MAX_BODY_TEXT = 2000;
const LEFT_OUT = " # the body's own bytes are left out";

/**
 * A line for bash with `$BASE_URL`, and with variables in the place of secrets; secrets reach curl through files, never
 * in its arguments. Where a secret stands in another form (in base64, in capital letters), the line is a comment that
 * says what to run instead: `rerun`, a command.
 */
export function replayLine(exchange: Exchange, redact: Redact, rerun: string): string {
  const { request, sentBytes, pause } = exchange;
  const lines = request.headers.map(([name, value]) => `${name}: ${value}`);
  const body = request.body.subarray(0, sentBytes);
  const texts = [request.path, ...lines, textIn(body) ?? Buffer.from(body).toString("base64")];
  const hidden = texts.flatMap((text) => redact.pieces(text)).filter(hides);
  if (hidden.some(({ bash }) => bash === undefined)) {
    return `# the request holds a secret in a form that bash cannot fill in; run instead: ${rerun}`;
  }
  return sentBytes === undefined && pause === undefined ? curlLine(exchange, redact) : slowUpload(exchange, redact);
}

function curlLine({ request }: Exchange, redact: Redact): string {
  const { method, headers, chunked } = request;
  const body = bodyWords(request.body, method, redact);
  // The suite sent it without a proxy, whatever the environment names.
  const words = ["curl -sS -i --noproxy '*' --path-as-is --globoff"];
  const hasBody = body.arguments.length > 0;
  if (method === "HEAD" && !hasBody) words.push("--head");
  else if (method !== "POST") words.push(`-X ${shellWord(method)}`);
  // With `-X HEAD` curl would wait for a body.
  if (method === "HEAD" && hasBody) words.push("--max-time 5");
  for (const [name, value] of headers) words.push(headerWord(name, value, redact));
  // What curl would add by itself.
  const typed = headers.some(([name]) => name.toLowerCase() === "content-type");
  if (hasBody && !typed) words.push("-H content-type:");
  if (chunked === true) words.push("-H 'transfer-encoding: chunked'");
  words.push(...body.arguments, urlWord(request.path, redact));
  return `${body.pipe}${words.join(" ")}${body.remark}`;
}

/**
 * The head and the part of the body that was sent, then silence until the target closes the connection. After a pause the
 * rest follows, and the connection is to be closed behind the answer.
 */
function slowUpload({ request, sentBytes = 0, pause }: Exchange, redact: Redact): string {
  const length = request.chunked === true ? "transfer-encoding: chunked" : `content-length: ${request.body.byteLength}`;
  const lines = [`${request.method} ${request.path} HTTP/1.1`, "host: localhost"];
  for (const [name, value] of request.headers) lines.push(`${name}: ${value}`);
  if (pause !== undefined) lines.push("connection: close");
  const head = [...lines, length].map((line) => `printf '%s\\r\\n' ${quote(redact.pieces(line), "latin1")};`).join(" ");
  const bytes = pause?.bytes ?? sentBytes;
  const { command, remark } = writerOf(request.body.subarray(0, bytes), redact);
  const first =
    request.chunked === true ? `printf '${bytes.toString(16)}\\r\\n'; ${command}; printf '\\r\\n'` : command;
  const rest =
    pause === undefined ? "" : `sleep ${pause.ms / 1000}; ${writerOf(request.body.subarray(bytes), redact).command}; `;
  const socket = 'a=${BASE_URL#http://}; exec 3<>"/dev/tcp/${a%:*}/${a##*:}"';
  return `( ${socket}; { ${head} printf '\\r\\n'; ${bytes === 0 ? "" : `${first}; `}${rest}} >&3; cat <&3 )${remark}`;
}

/** Shell words that write a body's exact bytes; builtins alone ever see a secret. */
function writerOf(body: Uint8Array, redact: Redact): { command: string; remark: string } {
  const { length } = body;
  const padding = length - 1 - body.findLastIndex((byte) => byte !== 0x20);
  const text = textIn(body.subarray(0, length - padding));
  if (text !== undefined && text.length <= MAX_BODY_TEXT) {
    const pad = padding === 0 ? "" : `; printf '%${padding}s' ''`;
    return { command: `printf '%s' ${quote(redact.pieces(text))}${pad}`, remark: "" };
  }
  if (length > MAX_BODY_TEXT) return { command: `head -c ${length} /dev/zero`, remark: LEFT_OUT };
  return { command: `echo ${Buffer.from(body).toString("base64")} | base64 -d`, remark: "" };
}

function bodyWords(body: Uint8Array, method: string, redact: Redact) {
  if (body.byteLength === 0) {
    // An empty body has a length of 0 with these, none with the others.
    const takesBody = ["POST", "PUT", "PATCH"].includes(method);
    return { pipe: "", arguments: takesBody ? ["--data-raw ''"] : [], remark: "" };
  }
  const text = textIn(body);
  const pieces = redact.pieces(text ?? "");
  if (text !== undefined && text.length <= MAX_BODY_TEXT && !text.endsWith(" ") && !pieces.some(hides))
    return { pipe: "", arguments: [`--data-raw ${quote(pieces)}`], remark: "" };
  const { command, remark } = writerOf(body, redact);
  return { pipe: `{ ${command}; } | `, arguments: ["--data-binary @-"], remark };
}

/** A body that is UTF-8 and that the shell can hold; undefined for any other. */
function textIn(body: Uint8Array): string | undefined {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(body);
  return Buffer.from(text, "utf8").equals(body) && !text.includes("\0") ? text : undefined;
}

/** A header with a secret goes through a file descriptor, so that no process list shows it. */
function headerWord(name: string, value: string, redact: Redact): string {
  // For curl, `name:` removes a header.
  const line = redact.pieces(value.trim() === "" ? `${name};` : `${name}: ${value}`);
  return line.some(hides) ? `-H @<(echo ${quote(line, "latin1")})` : `-H ${quote(line, "latin1")}`;
}

function urlWord(path: string, redact: Redact): string {
  const pieces = redact.pieces(path);
  if (!pieces.some(hides)) return `"$BASE_URL"${quote(pieces)}`;
  const escaped = pieces.map((piece) => (hides(piece) ? piece : piece.replace(/["\\]/g, "\\$&")));
  return `-K <(printf 'url="%s"' "$BASE_URL"${quote(escaped)})`;
}

function hides(piece: Piece): piece is Hidden {
  return typeof piece !== "string";
}

/** One shell word in which only what stands for secrets is expanded. Headers go over the wire as latin1. */
function quote(pieces: readonly Piece[], encoding: "utf8" | "latin1" = "utf8"): string {
  if (pieces.length === 0) return "''";
  return pieces.map((piece) => (hides(piece) ? `"${piece.bash}"` : shellWord(piece, encoding))).join("");
}

/** What a terminal would act on or a CI system carry out (`##[`), and the quotes that stand around it. */
const escapedAsText = /[\\'\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?<=#)#(?=[a-z]*\[)/giu;
/** The same with every character that is a byte of its own. */
const escapedAsBytes = /[\\'\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u0080-\u00ff]|(?<=#)#(?=[a-z]*\[)/giu;

/** A text as one word for bash, quoted where it has to be; as latin1, each character up to U+00FF is a byte. */
export function shellWord(text: string, encoding: "utf8" | "latin1" = "utf8"): string {
  if (/^[\w./:=@-]+$/.test(text)) return text;
  const plain = text.replaceAll(/[\\']/g, "");
  const escaped = encoding === "latin1" ? escapedAsBytes : escapedAsText;
  if (plain.search(escaped) === -1) return `'${text.replaceAll("'", `'\\''`)}'`;
  const word = text.replace(escaped, (character) =>
    [...Buffer.from(character, encoding)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join(""),
  );
  return `$'${word}'`;
}
