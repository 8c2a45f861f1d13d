/** What a mock keeps of each request, for a test or a log to read. But for the body, which is as sent, it holds no secret. */
import type { IncomingMessage } from "node:http";

/** Requests kept; the oldest goes first. */
export const MOST_RECEIVED = 1_000;

const HIDDEN = "[hidden]";
/** Of other schemes nothing is kept: a secret sent without one may have a blank in it. */
const scheme = /^(?:bearer|basic)(?=\s)/i;

export interface ReceivedRequest {
  /** Milliseconds since the epoch, by the mock's clock. */
  readonly at: number;
  readonly method: string;
  /** As it was sent, the query included. */
  readonly path: string;
  /** Names in lower case; of `authorization` Bearer or Basic is left, of the product's own header only that it was there. */
  readonly headers: Readonly<Record<string, string>>;
  /** The route that answered; absent for a path that is none. */
  readonly route?: string;
  /** The JSON object of the body, as sent; absent where the request was refused before it was read, or it was none. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The status answered; absent while, or when, there is no answer. */
  readonly status?: number;
  /** The code answered. */
  readonly code?: string;
  /** The answer was forced. */
  readonly forced?: true;
}

export type Noted = { -readonly [Field in keyof ReceivedRequest]: ReceivedRequest[Field] };

/**
 * Hides secrets in a text: as they are, percent-encoded in whole or in part, and their UTF-8 read as latin1, as node does
 * with headers. Where one secret begins with another the longer one is hidden.
 */
export function hiding(secrets: readonly string[]): (text: string) => string {
  if (secrets.length === 0) return (text) => text;
  const longestFirst = secrets.toSorted((one, other) => other.length - one.length);
  const forms = new RegExp(longestFirst.map((secret) => Array.from(secret, formsOf).join("")).join("|"), "gu");
  return (text) => text.replaceAll(forms, HIDDEN);
}

/** A pattern for one sign of a secret. */
function formsOf(sign: string): string {
  const bytes = [...Buffer.from(sign)].map((byte) => {
    const digits = byte.toString(16).padStart(2, "0");
    const either = digits.replaceAll(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
    return `(?:${literally(byte)}|%${either})`;
  });
  return `(?:${literally(sign.codePointAt(0) ?? 0)}|${bytes.join("")}${sign === " " ? "|[+]" : ""})`;
}

const literally = (code: number) => `\\u{${code.toString(16)}}`;

/** The request's first note, at time `at`; `hidden` hides the routes' secrets, wherever they were put. */
export function noteOf(request: IncomingMessage, at: number, product: string, hidden: (text: string) => string): Noted {
  const { method = "", url = "" } = request;
  const secretHeader = `x-${product.toLowerCase()}-webhook-secret`;
  const headers = Object.entries(request.headers).map(([name, value]) => {
    const text = String(value);
    if (name === "authorization") return [name, `${scheme.exec(text)?.[0] ?? ""} ${HIDDEN}`.trimStart()];
    return [name, name === secretHeader ? HIDDEN : hidden(text)];
  });
  return { at, method, path: hidden(url), headers: Object.fromEntries(headers) as Record<string, string> };
}
