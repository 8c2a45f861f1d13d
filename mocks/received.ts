/** What a mock keeps of each request, for a test or a log to read. But for the body, which is as sent, it holds no secret. */
import type { IncomingMessage } from "node:http";

/** Requests kept; the oldest goes first. */
export const MOST_RECEIVED = 1_000;

const HIDDEN = "[hidden]";
const scheme = /^[a-z]+(?=\s)/i;

export interface ReceivedRequest {
  /** Milliseconds since the epoch, by the mock's clock. */
  readonly at: number;
  readonly method: string;
  /** As it was sent, the query included. */
  readonly path: string;
  /** Names in lower case; of `authorization` the scheme is left, of the product's own header only that it was there. */
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

/** The request's first note, at time `at`; `secrets` are those of the routes, wherever they were put. */
export function noteOf(request: IncomingMessage, at: number, product: string, secrets: readonly string[]): Noted {
  const hidden = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, HIDDEN), text);
  const { method = "", url = "" } = request;
  const secretHeader = `x-${product.toLowerCase()}-webhook-secret`;
  const headers = Object.entries(request.headers).map(([name, value]) => {
    const text = String(value);
    if (name === "authorization") return [name, `${scheme.exec(text)?.[0] ?? ""} ${HIDDEN}`.trimStart()];
    return [name, name === secretHeader ? HIDDEN : hidden(text)];
  });
  return { at, method, path: hidden(url), headers: Object.fromEntries(headers) as Record<string, string> };
}
