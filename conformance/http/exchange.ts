/** One request as it was sent and what came back: the evidence that every check and every report works on. */
import type { Request } from "../../fixtures/request.ts";

export interface Answer {
  readonly status: number;
  /** Names in lower case; a repeated header has several values. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Uint8Array;
}

/** The response envelope of section 2, as far as it is there. */
export interface Envelope {
  readonly ok?: unknown;
  readonly routeId?: unknown;
  readonly result?: unknown;
  readonly code?: unknown;
  readonly error?: unknown;
}

export interface Exchange {
  readonly request: Request;
  /** The client address that the request came from. */
  readonly from: string;
  /** Bytes of the body that were sent when the answer came, where fewer than the whole. */
  readonly sentBytes?: number;
  readonly answer?: Answer;
  /** What the transport said where there is no answer: `connection refused`, `no answer within 20000 ms`. */
  readonly fault?: string;
}

/** The answer's body as text, invalid UTF-8 replaced. */
export function textOf(answer: Answer): string {
  return new TextDecoder().decode(answer.body);
}

/** The answer's JSON value; undefined when it is not JSON. */
export function jsonOf(answer: Answer): unknown {
  try {
    return JSON.parse(textOf(answer)) as unknown;
  } catch {
    return undefined;
  }
}

/** The answer's JSON object, whatever its fields; undefined when it is none. */
export function envelopeOf(exchange: Exchange): Envelope | undefined {
  if (exchange.answer === undefined) return undefined;
  const json = jsonOf(exchange.answer);
  return typeof json === "object" && json !== null && !Array.isArray(json) ? json : undefined;
}

/** What an answer says, to compare two by: the envelope's own fields, whatever else stands beside them, or its text. */
export function sayingOf(exchange: Exchange): string {
  const envelope = envelopeOf(exchange);
  if (envelope === undefined) return exchange.answer === undefined ? "" : textOf(exchange.answer);
  const { ok, routeId, result, code, error } = envelope;
  return JSON.stringify({ ok, routeId, result, code, error });
}

/** Accepted, by section 2: `ok: true` with a 2xx status. */
export function isAccepted(exchange: Exchange): boolean {
  const status = exchange.answer?.status ?? 0;
  return status >= 200 && status < 300 && envelopeOf(exchange)?.ok === true;
}

/** An answer in a few words that stay the same from run to run: `409 revision_conflict`, `405 without envelope`. */
export function describe(exchange: Exchange): string {
  if (exchange.answer === undefined) return exchange.fault ?? "no answer";
  const envelope = envelopeOf(exchange);
  const status = exchange.answer.status;
  if (envelope === undefined) return `${status} without a JSON object`;
  if (typeof envelope.ok !== "boolean") return `${status} without \`ok\``;
  const code = typeof envelope.code === "string" ? ` ${neutral(envelope.code)}` : "";
  return `${status} ok:${envelope.ok}${code}`;
}

/** A line of a target's log without control characters, for a terminal. */
export function printable(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}]/gu, "?");
}

/** Text from a target made safe to print on one line: no control or escape characters, at most `limit` characters. */
export function neutral(text: string, limit = 200): string {
  const safe = text.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return safe.length > limit ? `${safe.slice(0, limit)}... (${safe.length} characters)` : safe;
}
