/** Section 4: the order of the five checks gone wrong, and methods and content types let in, or not answered. */
import type { IncomingMessage } from "node:http";
import { reject, accept } from "../../../../plugin/answer.ts";
import type { Exchange, StageOutcome } from "../../../../plugin/contract.ts";
import { runStage, withHandler, withStage, type StageName, withRefusals, alsoLetsIn } from "../../changes.ts";
import { isChunked } from "../../limit-books.ts";
import { allFailing, failing, failingEach, type Change, type Subject } from "../../subject.ts";

/** What happens once a check has refused, before the answer; its outcome, if any, is answered instead. */
const afterRefusal = (first: StageName, then: (exchange: Exchange) => Promise<StageOutcome>): Change =>
  withRefusals(async (refusal, exchange) => (await then(exchange)) ?? refusal, first);

const readBody = async ({ context, request }: Exchange): Promise<undefined> => {
  await context.parts.readBody(request, context.parts.limits, context.clock);
};

const readChunks = async (exchange: Exchange): Promise<undefined> =>
  isChunked(exchange.request) ? readBody(exchange) : undefined;

const words = {
  method: "METHOD",
  "content-type": "CONTENT-TYPE",
  "rate-limit": "RATE",
  "in-flight": "IN-FLIGHT",
  authentication: "AUTH",
} as const;
type Check = keyof typeof words;

const checks = Object.keys(words) as Check[];
const isLimit = (check: Check): boolean => check === "rate-limit" || check === "in-flight";

function caseFor(first: Check, later: Check | "body"): string {
  if (isLimit(first)) return "ORDER-LIMITS-FIRST";
  if (later !== "body" && isLimit(later)) return "ORDER-LIMITS-AFTER";
  return first === "authentication" ? "REQUEST-SECRET" : `REQUEST-${words[first]}`;
}

/** Method and content type are one check, and the limits together have a case of their own. */
const pairs = checks.flatMap((first, at) =>
  checks.slice(Math.max(at + 1, isLimit(first) ? 4 : 2)).map((later) => [first, later] as const),
);

/** The announced size of a body is checked in an earlier stage. */
const sizeFirst = (stage: Check): Change =>
  withStage(stage, (exchange, right) => {
    const announced = Number(exchange.request.headers["content-length"] ?? 0);
    return announced > exchange.context.parts.limits.bodyBytes ? reject("payload_too_large") : right();
  });

/** Some requests are answered with 200, as a sign of life or for a preflight. */
const answers = (isAnswered: (request: IncomingMessage) => boolean): Change =>
  withStage("method", (exchange, right) => (isAnswered(exchange.request) ? accept({}) : right()));

const letsType = (isLetIn: (type: string) => boolean): Change =>
  alsoLetsIn("content-type", ({ headers }) => isLetIn(headers["content-type"] ?? ""));

export const order: readonly Subject[] = [
  ...failing({
    "PROPERTY-ORDER, REQUEST-METHOD, ORDER-LIMITS-FIRST: The secret is checked first of all, before method, content type and limits":
      withStage("method", async (exchange, right) => (await runStage("authentication", exchange)) ?? right()),
    "ORDER-CONTINUE-AFTER-CHECKS: 100 Continue is sent as soon as the head has been read": withHandler(
      (handler) => (request, response) => {
        if (request.headers.expect !== undefined) response.writeContinue();
        return handler(request, response);
      },
    ),
    "REQUEST-METHOD, METHOD-GET: GET is answered with 200, as a sign of life": answers(
      ({ method }) => method === "GET",
    ),
    "REQUEST-METHOD: A browser that asks whether it may send a POST is answered with 200": answers(
      ({ headers }) => headers["access-control-request-method"] !== undefined,
    ),
    "ENVELOPE-HEAD-EMPTY, REQUEST-METHOD: HEAD is not answered: the connection is closed": withStage(
      "method",
      ({ request }, right) => {
        if (request.method !== "HEAD") return right();
        request.socket.destroy();
        return "aborted";
      },
    ),
    "REQUEST-RIGHT: The content type is compared letter by letter, so a charset makes it another type": withStage(
      "content-type",
      ({ request }) =>
        request.headers["content-type"] === "application/json" ? undefined : reject("unsupported_media_type"),
    ),
  }),
  ...failingEach(pairs, ([first, later]) => [
    `${caseFor(first, later)}: A request that fails both the ${first} and the ${later} check is answered for ${later}`,
    afterRefusal(first, (exchange) => runStage(later, exchange)),
  ]),
  ...checks.flatMap((check) =>
    failing({
      [`${caseFor(check, "body")}: A Content-Length that is too large is refused before ${check} is checked`]:
        sizeFirst(check),
      [`ORDER-${words[check]}-ANSWERED-EARLY: A request refused by the ${check} check is answered only when its whole body has come`]:
        afterRefusal(check, readBody),
    }),
  ),
  ...failing({
    "ORDER-AUTH-ANSWERED-EARLY: A request with a wrong secret whose body comes in chunks is answered behind the last one":
      afterRefusal("authentication", readChunks),
  }),
  ...failingEach(["method", "content-type", "rate-limit"] as const, (check) => [
    `${check === "rate-limit" ? "ORDER-RATE-HOLDS-NO-SLOT" : "IN-FLIGHT-FREED"}: A request refused by the ${check} check counts as in flight while its body is owed`,
    afterRefusal(check, async (exchange) => {
      await runStage("in-flight", exchange);
      return readBody(exchange);
    }),
  ]),
  ...allFailing("REQUEST-METHOD", (lets: (request: IncomingMessage) => boolean) => alsoLetsIn("method", lets), {
    "PATCH is taken for POST": ({ method }) => method === "PATCH",
    "Methods that nobody thought of are taken for POST": ({ method }) => method === "QUERY",
    "Any method is taken for POST where the URL says so": ({ url = "" }) => url.includes("_method=POST"),
    "GET with a body is taken for POST where a header says so": ({ method, headers }) =>
      method === "GET" && headers["x-http-method-override"] === "POST",
    "The method is taken from a header in which proxies keep the one that they got": ({ headers }) =>
      headers["x-original-method"] === "POST",
  }),
  ...allFailing("REQUEST-CONTENT-TYPE", letsType, {
    "application/json is looked for anywhere in the content type, so a browser can post across origins": (type) =>
      type.includes('"application/json"'),
    "text/plain is read as JSON, so a browser can post across origins": (type) => type.startsWith("text/plain"),
    "A JSON body labelled as a form is read": (type) => type.includes("urlencoded"),
    "A JSON body labelled multipart/form-data is read": (type) => type.startsWith("multipart/"),
    "Any type that ends in json is read": (type) => type.endsWith("/json"),
    "Types that end in +json are read": (type) => type.endsWith("+json"),
    "A hyphen ends the name of a type": (type) => type.startsWith("application/json-"),
    "Of a list of types the last one counts": (type) => type.endsWith(", application/json"),
    "Of a list of types the first one counts": (type) => type.startsWith("application/json,"),
  }),
];
