/** What a mock records of each request, for a test or a log to read. Holds no secret, except in bodies, which are as sent. */
import type { IncomingMessage } from "node:http";

/** How many requests are kept; the oldest is dropped first. */
export const MOST_RECEIVED = 1_000;

const HIDDEN = "[hidden]";
/** The schemes that are shown. Anything else is hidden whole: it may be a secret sent without a scheme, with a space in it. */
const scheme = /^(?:bearer|basic)(?=\s)/i;

/**
 * The JSON object of a body, as sent: a client that sends a field of another type than is named here gets
 * `invalid_request`, and what it sent stands here all the same.
 */
export interface ReceivedBody {
  readonly action?: string;
  readonly flowId?: string;
  readonly expectedRevision?: number;
  readonly goal?: string;
  readonly status?: string;
  readonly [field: string]: unknown;
}

export interface ReceivedRequest {
  /** Milliseconds since the epoch, by the mock's clock. */
  readonly at: number;
  readonly method: string;
  /** As it was sent, the query included. */
  readonly path: string;
  /** Names in lower case. `authorization` shows only its scheme (Bearer, Basic), the product's header only that it was sent. */
  readonly headers: Readonly<Record<string, string>>;
  /** The route that answered; absent for an unknown path. */
  readonly route?: string;
  /** Absent when a check before the action refused the request: its body was not read, or was no JSON object. */
  readonly body?: ReceivedBody;
  /** The status of the answer; absent while or where there is none. */
  readonly status?: number;
  /** The code of the answer. */
  readonly code?: string;
  /** The answer was forced. */
  readonly forced?: true;
}

export type Noted = { -readonly [Field in keyof ReceivedRequest]: ReceivedRequest[Field] };

/**
 * Hides secrets in a text: as they are, percent-encoded in whole or in part, and their UTF-8 decoded as latin1, as node
 * decodes headers. Where one secret is a prefix of another, the longer one is matched first.
 */
export function hiding(secrets: readonly string[]): (text: string) => string {
  if (secrets.length === 0) return (text) => text;
  const longestFirst = secrets.toSorted((one, other) => other.length - one.length);
  const forms = new RegExp(longestFirst.map((secret) => Array.from(secret, formsOf).join("")).join("|"), "gu");
  return (text) => text.replaceAll(forms, HIDDEN);
}

/** A pattern for one character of a secret. No two of its forms match the same text: many such would take for ever. */
function formsOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const bytes = [...Buffer.from(character)];
  const percent = bytes.map((byte) => {
    const digits = byte.toString(16).padStart(2, "0");
    return `%${digits.replaceAll(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)}`;
  });
  if (code < 0x80) return `(?:${literally(code)}|${percent.join("")}${character === " " ? "|[+]" : ""})`;
  const each = bytes.map((byte, index) => `(?:${literally(byte)}|${percent[index]})`);
  return `(?:${literally(code)}|${each.join("")})`;
}

const literally = (code: number) => `\\u{${code.toString(16)}}`;

/** The record of a request that arrived at time `at`; `hidden` hides the routes' secrets in the path and the headers. */
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
