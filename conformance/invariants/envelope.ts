/** Every answer on a route's path is the envelope, with that route's id. */
import type { Case } from "../harness/case.ts";
import type { WatchedExchange, Breach, Watcher } from "../harness/watcher.ts";
import { envelopeOf, isTooDeep, type Answer } from "../http/exchange.ts";
import { perInstance, servedRoutes } from "./per-instance.ts";
import { tour } from "./tour.ts";

/** The methods that a gateway hands on to its routes; what a server itself refuses has no envelope. */
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
/** What HTTP lets a server say before a route is asked: 406, 411, 414, 417, 431, 501, 505 (RFC 9110, RFC 6585). */
const OF_THE_SERVER = [406, 411, 414, 417, 431, 501, 505];

const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "string" && value.trim() === "" ? "an empty text" : `another ${typeof value}`;
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

function breachIn({ exchange }: WatchedExchange, answer: Answer, routeId: string): Breach | undefined {
  const { status } = answer;
  const envelope = envelopeOf(exchange);
  const wrong = (expected: string, actual: string): Breach => ({ expected, actual: `${actual} with ${status}` });
  // Stored data may be shown as deep as it was sent.
  if (envelope === undefined) return isTooDeep(answer) ? undefined : wrong("the envelope", "no JSON object");
  const { ok, code, error, result } = envelope;
  if (typeof ok !== "boolean") return wrong("ok: true or false", kindOf(ok));
  if (ok && status >= 300) return wrong("ok: true with a 2xx status only", "ok: true");
  if (envelope.routeId !== routeId) return wrong("routeId: the id of the route asked", kindOf(envelope.routeId));
  if (!isObject(result)) return wrong("result: an object", kindOf(result));
  if (ok) return undefined;
  if (!isText(code)) return wrong("code: a text", kindOf(code));
  return isText(error) ? undefined : wrong("error: a text", kindOf(error));
}

function watch(): Watcher {
  const idsOf = perInstance(servedRoutes);
  return {
    exchange(watched) {
      const { request, answer } = watched.exchange;
      const routeId = idsOf(watched.instance).get(request.path);
      if (answer === undefined || routeId === undefined || !METHODS.includes(request.method)) return undefined;
      return OF_THE_SERVER.includes(answer.status) ? undefined : breachIn(watched, answer, routeId);
    },
  };
}

export const envelope: Case = {
  id: "ALWAYS-ENVELOPE",
  title: "Every answer of the whole run on a route's path is the envelope with that route's id",
  clauses: ["ERROR-ENVELOPE", "ENVELOPE-OK", "ENVELOPE-ROUTE-ID", "ENVELOPE-RESULT", "ENVELOPE-CODE", "ENVELOPE-ERROR"],
  level: "must",
  reading:
    "Accepted or refused, for whatever reason and at whichever check. Left out are the methods beside GET, POST, PUT, " +
    "PATCH and DELETE, and what a server says before it asks a route: 406, 411, 414, 417, 431, 501 and 505.",
  ...tour,
  watch,
};
