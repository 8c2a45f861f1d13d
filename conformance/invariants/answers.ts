/** Rules that every answer of the run keeps by itself, whatever was sent. */
import { isUtf8 } from "node:buffer";
import type { Case } from "../harness/case.ts";
import { envelopeFault, mayBeOfServer } from "../harness/envelope.ts";
import type { Finding } from "../harness/finding.ts";
import type { WatchedExchange, Watcher } from "../harness/watcher.ts";
import { NOT_HTTP } from "../http/answer-reader.ts";
import { describe, type Exchange } from "../http/exchange.ts";
import { responseOf, statusFault } from "../oracle/response.ts";
import { perServer } from "../targets/per-server.ts";
import { tour } from "./tour.ts";

/** RFC 9110, 15.6.2 and 15.6.6: the server's answer to a method or a version of HTTP that it does not know. */
const OF_THE_SERVER = [501, 505];

/** The store fails on purpose, or a limit is met, whose status is open. */
const mayFail = ({ of: { needs = [], meetsLimits, seconds } }: WatchedExchange): boolean =>
  needs.includes("persistence") || meetsLimits === true || seconds !== undefined;

/** The ids of the routes that surely answer, by path; where none does, the gateway answers. */
const routesOf = perServer(({ configuration: { routes, served } }) => {
  const answering = [...routes.values()].filter(({ id }) => served.has(id));
  return new Map(answering.map(({ path, id }) => [path, id]));
});

const ONE_ANSWER = "one whole answer of HTTP";

/** Strict readers of JSON, `JSON.parse` among them, refuse these bytes; the kit's own reader skips or replaces them. */
function encodingFault({ answer }: Exchange): Finding | undefined {
  const body = Buffer.from(answer?.body ?? []);
  const isMarked = body.subarray(0, 3).equals(Buffer.from("\ufeff"));
  if (answer === undefined || (!isMarked && isUtf8(body))) return undefined;
  const actual = `${isMarked ? "a byte order mark before the JSON" : "bytes that are no UTF-8"} with ${answer.status}`;
  return { clause: "ENVELOPE-OK", expected: "JSON in UTF-8, without a byte order mark", actual };
}

const OBJECT_AS_TEXT = "[object Object]";
/** What languages write for no value. */
const NOTHINGS = ["undefined", "null", "none", "nil", "nan"];

const wordless = (actual: string): Finding => ({ expected: "an error that people can read", actual });

/** What a program leaves where it meant to write an error for people. What the caller sent itself may be repeated. */
function wordlessFault(exchange: Exchange): Finding | undefined {
  const { ok, error } = responseOf(exchange).envelope ?? {};
  if (ok !== false || typeof error !== "string" || error.trim() === "") return undefined;
  if (NOTHINGS.includes(error.trim().toLowerCase())) return wordless("an error that says only that there is none");
  if (!/\p{L}/u.test(error)) return wordless("an error without a letter");
  const isLeft = error.includes(OBJECT_AS_TEXT) && !Buffer.from(exchange.request.body).includes(OBJECT_AS_TEXT);
  return isLeft ? wordless("an object turned into a text in the error") : undefined;
}

type Rule = Pick<Case, "id" | "title" | "clauses" | "level" | "reading"> & { readonly watch: Watcher };

const rules: readonly Rule[] = [
  {
    id: "ALWAYS-UP",
    title: "The target never ends or stops listening during the run",
    clauses: ["SERVICE-ROUTE"],
    reading:
      "Whatever is sent, also where the request that ended the target was answered rightly. The last requests are shown.",
    watch: { gone: (how) => ({ expected: "a target that goes on answering", actual: how }) },
  },
  {
    id: "ALWAYS-HTTP",
    title: "Every answer of the run is one complete HTTP response",
    clauses: ["ENVELOPE-OK"],
    reading:
      "RFC 9112, 6: a client finds the end of an answer by its length. An answer that is torn, or followed by bytes that " +
      "nobody asked for, is taken for the answer to the next request of the connection.",
    watch: {
      surplus: () => ({ expected: ONE_ANSWER, actual: "bytes behind an answer that nobody asked for" }),
      exchange: ({ exchange: { fault } }) => (fault === NOT_HTTP ? { expected: ONE_ANSWER, actual: fault } : undefined),
    },
  },
  {
    id: "ALWAYS-ENVELOPE",
    title: "Every answer on a route's path is the envelope with that route's id",
    clauses: [
      "ERROR-ENVELOPE",
      "ENVELOPE-OK",
      "ENVELOPE-ROUTE-ID",
      "ENVELOPE-RESULT",
      "ENVELOPE-CODE",
      "ENVELOPE-ERROR",
    ],
    reading:
      "Accepted or refused, for whatever reason and at whichever check, as JSON in UTF-8 without a byte order mark (RFC 8259, " +
      "8.1); white space around it is part of JSON. Left out are the methods beside GET, POST, PUT, " +
      "PATCH and DELETE, and what a server says before it asks a route: 406, 411, 414, 417, 431, 501 and 505, and 400, 403, " +
      "404 and 421 to a Host that it does not know or headers that are there twice or hold more than ASCII.",
    watch: {
      exchange({ server, exchange }) {
        const routeId = routesOf(server).get(exchange.request.path);
        if (routeId === undefined || mayBeOfServer(exchange)) return undefined;
        return envelopeFault(exchange, routeId) ?? encodingFault(exchange);
      },
    },
  },
  {
    id: "NEVER-5XX",
    title: "No request is answered with 5xx, unless the store fails or a limit is met",
    clauses: ["ERROR-INVALID"],
    level: "should",
    reading:
      "A wrong type, a deep or broken JSON text, invalid UTF-8, names that every object has: all are the caller's mistake, " +
      "and a 5xx tells the caller to try again. The status of most refusals is open, so this is advice.",
    watch: {
      exchange(watched) {
        const { answer, request } = watched.exchange;
        if (answer === undefined || answer.status < 500 || OF_THE_SERVER.includes(answer.status)) return undefined;
        if (mayFail(watched) || !routesOf(watched.server).has(request.path)) return undefined;
        return { expected: "a refusal with 4xx of what the caller got wrong", actual: describe(watched.exchange) };
      },
    },
  },
  {
    id: "ALWAYS-STATED-STATUS",
    title: "invalid_request always comes with 400 and revision_conflict with 409",
    clauses: ["ERROR-INVALID", "REVISION-STALE"],
    reading:
      "Section 7 states both. Which refusals have one of these codes is open for most; the status that goes with it is not.",
    watch: { exchange: ({ exchange }) => statusFault(responseOf(exchange)) },
  },
  {
    id: "ALWAYS-READABLE-ERROR",
    title: "The error of every rejection is a text for people, not what a program leaves of a value",
    clauses: ["ENVELOPE-ERROR"],
    reading:
      "Any wording in any language will do. Wrong are an object turned into a text, unless the caller sent that text, the " +
      "word for no value alone, and a text without a letter. That there is a text at all, ALWAYS-ENVELOPE judges.",
    watch: {
      exchange: ({ server, exchange }) =>
        routesOf(server).has(exchange.request.path) && !mayBeOfServer(exchange) ? wordlessFault(exchange) : undefined,
    },
  },
];

export const answerRules: readonly Case[] = rules.map(({ watch, ...about }) => ({
  ...about,
  ...tour,
  watch: () => watch,
}));
