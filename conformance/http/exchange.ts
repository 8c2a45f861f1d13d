/** One request as it was sent and what came back: the evidence that every check and every report works on. */
import type { Request } from "../interface/request.ts";
import { escapeOf, UNSAFE } from "../foundation/safe-text.ts";

export interface Answer {
  readonly status: number;
  /** Names in lower case; a repeated header has several values. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Uint8Array;
  /** How long the body was, where only its start is kept. */
  readonly wholeBytes?: number;
}

/** The response envelope of section 2, as far as it is there. */
type Envelope = Readonly<Partial<Record<"ok" | "routeId" | "result" | "code" | "error", unknown>>>;

export interface Exchange {
  readonly request: Request;
  readonly from: string;
  /** Bytes of the body that were sent when the answer came, where fewer than the whole. */
  readonly sentBytes?: number;
  /** The body was sent in two parts: the second one `ms` after the first `bytes`. */
  readonly pause?: { readonly bytes: number; readonly ms: number };
  readonly answer?: Answer;
  /** The transport's error where there is no answer: `connection refused`, `no answer within 20000 ms`. */
  readonly fault?: string;
}

/** Reports show less of a body; secrets are looked for in all of it. */
const EXCERPT_BYTES = 16 * 1024;

/** An exchange to keep as evidence: of a long answer only the start of its body. */
export function asEvidence(exchange: Exchange): Exchange {
  const { answer } = exchange;
  if (answer === undefined || answer.body.byteLength <= EXCERPT_BYTES) return exchange;
  // A copy: a Buffer's own slice would hold on to all of it.
  const body = new Uint8Array(answer.body.subarray(0, EXCERPT_BYTES));
  return { ...exchange, answer: { ...answer, body, wholeBytes: bodyBytesOf(answer) } };
}

/** How long the answer's body was as it came. */
export function bodyBytesOf(answer: Answer): number {
  return answer.wholeBytes ?? answer.body.byteLength;
}

const decoder = new TextDecoder();

/** A flow as it is found in a result: at least these two, whatever else stands beside them. */
export interface FlowView extends Readonly<Record<string, unknown>> {
  readonly flowId: string;
  readonly revision: number;
}

/** What has been read of an answer so far: each part is read once, when somebody first asks for it. */
interface Reading {
  text?: string;
  json?: { readonly value: unknown };
  flows?: readonly FlowView[];
}

/**
 * Many ask about one answer, and one may be megabytes long. Values take up to twenty times the memory of their text, so
 * only the readings of the last answers are kept.
 */
const readings = new Map<Answer, Reading>();
const KEPT_BYTES = 1024 * 1024;
/** Bytes that a reading is counted with beside its text. */
const LEAST_BYTES = 1024;
let readBytes = 0;

function readingOf(answer: Answer): Reading {
  const known = readings.get(answer);
  if (known !== undefined) return known;
  const reading: Reading = {};
  readings.set(answer, reading);
  readBytes += answer.body.byteLength + LEAST_BYTES;
  for (const oldest of readings.keys()) {
    if (readBytes <= KEPT_BYTES || oldest === answer) break;
    readings.delete(oldest);
    readBytes -= oldest.body.byteLength + LEAST_BYTES;
  }
  return reading;
}

/** The answer's body as text, invalid UTF-8 replaced. */
export function textOf(answer: Answer): string {
  return (readingOf(answer).text ??= decoder.decode(answer.body));
}

/** The fields of a request's JSON body; none where it is no JSON object. */
export function bodyFields({ body }: Request): Readonly<Record<string, unknown>> & { readonly action?: unknown } {
  try {
    const value: unknown = JSON.parse(decoder.decode(body));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Deeper values are not read: code that walks through an answer may be recursive. */
const MAX_DEPTH = 500;
/** Objects and lists of one answer: a list of thousands of flows has fewer, and each takes more memory than its text. */
const MAX_OBJECTS = 200_000;

/** The answer's JSON value; undefined when it is not JSON, or nested too deep to be an answer. */
export function jsonOf(answer: Answer): unknown {
  return (readingOf(answer).json ??= { value: parsed(answer) }).value;
}

function parsed(answer: Answer): unknown {
  if (isTooDeep(answer)) return undefined;
  try {
    return JSON.parse(textOf(answer)) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Whether an answer is nested so deep, or holds so many objects, that its value is not looked at: counts brackets that
 * stand outside of strings, in UTF-8.
 */
export function isTooDeep({ body: json }: Answer): boolean {
  if (json.byteLength < 2 * MAX_DEPTH) return false;
  const [quote, escape, list, object, listEnd, objectEnd] = Buffer.from('"\\[{]}');
  let [depth, objects, inString] = [0, 0, false];
  for (let index = 0; index < json.byteLength && depth <= MAX_DEPTH && objects <= MAX_OBJECTS; index += 1) {
    const byte = json[index];
    if (inString && byte === escape) index += 1;
    else if (byte === quote) inString = !inString;
    else if (inString) continue;
    else if (byte === list || byte === object) [depth, objects] = [depth + 1, objects + 1];
    else if (byte === listEnd || byte === objectEnd) depth -= 1;
  }
  return depth > MAX_DEPTH || objects > MAX_OBJECTS;
}

/** The answer's JSON object, with any fields; undefined when the answer is not an object. */
export function envelopeOf(exchange: Exchange): Envelope | undefined {
  if (exchange.answer === undefined) return undefined;
  const json = jsonOf(exchange.answer);
  return typeof json === "object" && json !== null && !Array.isArray(json) ? json : undefined;
}

/** The flows anywhere in an answer's result. */
export function flowsOf(exchange: Exchange): readonly FlowView[] {
  if (exchange.answer === undefined) return [];
  return (readingOf(exchange.answer).flows ??= flowsIn(envelopeOf(exchange)?.result));
}

/** Every object in a value that is a flow: a string flowId, an integer revision, and no task. Bounded in depth. */
function flowsIn(value: unknown, depth = 6): FlowView[] {
  if (typeof value !== "object" || value === null || depth === 0) return [];
  const { flowId, revision, taskId } = value as Record<string, unknown>;
  if (typeof flowId === "string" && Number.isInteger(revision) && taskId === undefined) return [value as FlowView];
  return Object.values(value).flatMap((item: unknown) => flowsIn(item, depth - 1));
}

/** Accepted, by section 2: `ok: true` with a 2xx status; or a cancellation that is under way. */
export function isAccepted(exchange: Exchange): boolean {
  const envelope = envelopeOf(exchange);
  return envelope !== undefined && accepts(exchange.answer?.status ?? 0, envelope);
}

/** Section 7 lists `cancel_pending` with the errors, so the envelope of a 202 may have it with `ok: false`. */
export function accepts(status: number, { ok, code }: { readonly ok?: unknown; readonly code?: unknown }): boolean {
  return status >= 200 && status < 300 && (ok === true || (status === 202 && code === "cancel_pending"));
}

/** An answer in a few words that stay the same from run to run: `409 revision_conflict`, `405 without envelope`. */
export function describe(exchange: Exchange, longestCode?: number): string {
  if (exchange.answer === undefined) return exchange.fault ?? "no answer";
  const envelope = envelopeOf(exchange);
  const status = exchange.answer.status;
  if (envelope === undefined) return `${status} without a JSON object`;
  if (typeof envelope.ok !== "boolean") return `${status} without \`ok\``;
  const code = typeof envelope.code === "string" ? ` ${neutral(envelope.code, longestCode)}` : "";
  return `${status} ok:${envelope.ok}${code}`;
}

const PRINTED = 1000;

/** A line of a target's log made safe for a terminal: no control characters, at most `PRINTED` characters. */
export function printable(line: string): string {
  return shortened(line.slice(0, PRINTED + 1).replace(UNSAFE, "?"), PRINTED, line.length);
}

/** Text from a target made safe to print on one line: no control or escape characters, at most `limit` characters. */
export function neutral(text: string, limit = 200): string {
  // The rest of a very long text is cut off anyway.
  return shortened(text.slice(0, limit + 1).replace(UNSAFE, escapeOf), limit, text.length);
}

/** The cut may not leave half a character. */
function shortened(text: string, limit: number, length: number): string {
  return text.length > limit ? `${text.slice(0, limit).replace(UNSAFE, "")}... (${length} characters)` : text;
}

/** Whether the connection ends with this answer: nothing behind it is carried out (RFC 9112, 9.6). */
export function saysClose({ headers }: Answer): boolean {
  return (headers.get("connection") ?? []).some((value) => /(?:^|,)\s*close\s*(?:,|$)/i.test(value));
}
