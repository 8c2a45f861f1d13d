/** What is wrong with the envelope of an answer: section 2's rules on its form, in one place. */
import type { ClauseId } from "../interface/clauses/index.ts";
import { describe, envelopeOf, isTooDeep, textOf, type Exchange } from "../http/exchange.ts";
import { contradictoryIn } from "../http/members.ts";
import type { Departure } from "./finding.ts";

const clausesOf = {
  ok: "ENVELOPE-OK",
  routeId: "ENVELOPE-ROUTE-ID",
  result: "ENVELOPE-RESULT",
  code: "ENVELOPE-CODE",
  error: "ENVELOPE-ERROR",
} as const satisfies Record<string, ClauseId>;

/** The methods that a gateway hands on to its routes; what a server itself refuses has no envelope. */
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/** What HTTP lets a server say before a route is asked: 406, 411, 414, 417, 431, 501, 505 (RFC 9110, RFC 6585). */
const OF_THE_SERVER = [406, 411, 414, 417, 431, 501, 505];

/** Statuses that a server may give for an unknown Host, a repeated header or a header with bytes beyond ASCII. */
const OF_HEADERS = [400, 403, 404, 421];
const isOdd = ([name, value]: readonly [string, string], at: number, all: readonly (readonly [string, string])[]) =>
  name === "host" || /[^\t -~]/.test(value) || all.findIndex(([other]) => other === name) !== at;

export function mayBeOfServer({ request, answer }: Exchange): boolean {
  const { status = 0 } = answer ?? {};
  const isOddlyHeaded = OF_HEADERS.includes(status) && request.headers.some(isOdd);
  return !METHODS.includes(request.method) || OF_THE_SERVER.includes(status) || isOddlyHeaded;
}

const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "string" && value.trim() === "" ? "an empty text" : `another ${typeof value}`;
}

/**
 * The first fault of the answer's envelope; undefined where it is right, where there is no answer, and where the answer is
 * nested too deep to be looked at: stored data may be shown as deep as it was sent. `routeId`: of the route asked.
 */
export function envelopeFault(exchange: Exchange, routeId: string): Departure | undefined {
  const { answer } = exchange;
  if (answer === undefined) return undefined;
  const wrong = (clause: ClauseId, expected: string, actual: string): Departure => {
    const [, field] = /^(\w+): /.exec(expected) ?? [];
    const what = field === undefined ? actual : actual === "nothing" ? `no ${field}` : `${field}: ${actual}`;
    const where = describe(exchange).replace(/ ok:(true|false)/, "");
    return { clause, expected, actual: `${actual} with ${answer.status}`, seen: { what, where } };
  };
  const envelope = envelopeOf(exchange);
  if (envelope === undefined) {
    return isTooDeep(answer) ? undefined : wrong("ERROR-ENVELOPE", "the envelope", "no JSON object");
  }
  const { ok, code, error, result } = envelope;
  const twice = contradictoryIn(textOf(answer), Object.keys(clausesOf));
  if (twice !== undefined) return wrong(clausesOf[twice as keyof typeof clausesOf], `${twice}: one value`, "two");
  if (typeof ok !== "boolean") return wrong("ENVELOPE-OK", "ok: true or false", kindOf(ok));
  if (ok && answer.status >= 300) return wrong("ENVELOPE-OK", "ok: true with a 2xx status only", "ok: true");
  if (envelope.routeId !== routeId) {
    return wrong("ENVELOPE-ROUTE-ID", "routeId: the id of the route asked", kindOf(envelope.routeId));
  }
  if (!isObject(result)) return wrong("ENVELOPE-RESULT", "result: an object", kindOf(result));
  if (ok) return undefined;
  if (!isText(code)) return wrong("ENVELOPE-CODE", "code: a text", kindOf(code));
  return isText(error) ? undefined : wrong("ENVELOPE-ERROR", "error: a text", kindOf(error));
}
