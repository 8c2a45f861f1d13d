/** Section 5: secrets compared, looked for and refused in another way. */
import { Buffer } from "node:buffer";
import { reject } from "../../../../plugin/answer.ts";
import type { Exchange } from "../../../../plugin/contract.ts";
import type { JsonObject } from "../../../../plugin/json.ts";
import { asText, perStart, together, withEntries, withRefusals, withStage, withStatuses } from "../../changes.ts";
import { letsIn, letsWarmIn, ownOf, presents, productHeader } from "../../lets-in.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

/** The body is read before the authentication, and lets some requests in. */
const bodyLetsIn = (lets: (exchange: Exchange, body: JsonObject) => boolean): Change =>
  together(
    withStage("authentication", async (exchange, right) => {
      const reading = exchange.context.parts.stages.find(({ name }) => name === "body");
      const failed = await reading?.run(exchange);
      if (failed !== undefined) return (await right()) ?? failed;
      return lets(exchange, exchange.body ?? {}) ? undefined : right();
    }),
    withStage("body", (exchange, right) => (exchange.body === undefined ? right() : undefined)),
  );

/** Some requests get an answer of their own, or none, before the secret is looked at. */
const before = (answer: (exchange: Exchange) => ReturnType<typeof reject> | undefined): Change =>
  withStage("authentication", (exchange, right) => answer(exchange) ?? right());

/** After so many wrong secrets an address is refused whatever it sends. */
const WRONG_BEFORE_LOCK = 30;

const locksOut: Change = perStart(() => {
  const wrong = new Map<string, number>();
  return withStage("authentication", async ({ request }, right) => {
    const from = request.socket.remoteAddress ?? "";
    const before = wrong.get(from) ?? 0;
    const outcome = before >= WRONG_BEFORE_LOCK ? reject("unauthorized") : await right();
    if (outcome !== undefined) wrong.set(from, before + 1);
    return outcome;
  });
});

export const authentication: readonly Subject[] = [
  ...failing("AUTH-WRONG-SECRETS", letsWarmIn, {
    "Routes of one session let in each other's secrets": ({ presented, route, routes }) =>
      routes.some(({ secret, sessionKey }) => secret === presented && sessionKey === route.sessionKey),
    "Each route lets in the secret of a route that is disabled": ({ presented, entries }) =>
      Object.values(entries).some(({ enabled, secret }) => enabled === false && secret === presented),
  }),
  ...failing("AUTH-WRONG-SECRETS", {
    "After 30 wrong secrets from an address the right one is refused as well": locksOut,
  }),
  ...failing("AUTH-OTHER-PLACES", bodyLetsIn, {
    "Without a header the secret is looked for in the body": (exchange, { secret, ...rest }) => {
      const { authorization, [productHeader]: own } = exchange.request.headers;
      exchange.body = rest;
      return (authorization ?? own) === undefined && exchange.context.secretMatches(asText(secret));
    },
  }),
  ...failing("AUTH-EVERY-ACTION", bodyLetsIn, {
    "Actions that only read do not ask for the secret": (_exchange, { action }) => asText(action).startsWith("get_"),
  }),
  ...failing("SECRET-COLD-CLOSED", {
    "A disabled route is served to whoever sends the text null for its secret": together(
      withEntries((entry) => (entry["enabled"] === false ? { ...entry, enabled: true, secret: "of nobody" } : entry)),
      letsIn(({ secret, presented }) => secret === "of nobody" && presented === "null"),
    ),
  }),
  ...failing(["AUTH-BEARER", "REQUEST-RIGHT"], presents, {
    "Authorization is not looked at: only the product's own header counts": ownOf,
  }),
  ...failing("AUTH-PRODUCT-HEADER", presents, {
    "The product's own header is not looked at": (headers, right) => right({ ...headers, [productHeader]: undefined }),
  }),
  ...failing("AUTH-PRODUCT-BESIDE-OTHER-SCHEME", presents, {
    "Any Authorization hides the product's header, also one that is not Bearer": (headers, right) =>
      right(headers.authorization === undefined ? headers : { ...headers, [productHeader]: undefined }),
  }),
  ...failing("AUTH-ALL-CHARACTERS", presents, {
    "A Bearer secret is made of letters, digits, points and hyphens; any other is none": (headers, right) => {
      const presented = right(headers);
      return headers.authorization !== undefined && !/^[\w.-]+$/.test(presented ?? "") ? undefined : presented;
    },
  }),
  ...failing("AUTH-SAME-ANSWER", before, {
    "The 401 says whether a secret was missing or wrong": ({ context: { parts, product }, request }) =>
      parts.presentedSecret(request.headers, product) === undefined
        ? reject("unauthorized", { error: "A secret is missing.", headers: { "WWW-Authenticate": "Bearer" } })
        : undefined,
  }),
  ...failing("AUTH-REPEATED", before, {
    "A header that is sent twice ends in an internal error": ({ request: { headersDistinct } }) => {
      const sent = [headersDistinct["authorization"], headersDistinct[productHeader]];
      if (sent.some((values = []) => values.length > 1)) throw new TypeError("secret.trim is not a function");
      return undefined;
    },
  }),
  ...failing("AUTH-NON-ASCII", before, {
    "Secrets of as many characters are compared byte by byte, which fails for bytes of another number": (exchange) => {
      const { parts, product } = exchange.context;
      const presented = parts.presentedSecret(exchange.request.headers, product) ?? "";
      if (Buffer.byteLength(presented) !== presented.length)
        throw new RangeError("Input buffers must have the same length");
      return undefined;
    },
  }),
  ...failing("AUTH-CODE", {
    "A wrong secret gets the code request_rejected": together(
      withStatuses({ request_rejected: 401 }),
      withRefusals((refusal) => ({ ...refusal, code: "request_rejected" }), "authentication"),
    ),
  }),
  ...failing(["AUTH-WRONG", "AUTH-WRONG-SECRETS", "REQUEST-SECRET", "SECRET-COLD-CLOSED"], {
    "A wrong secret gets 403": withStatuses({ unauthorized: 403 }),
  }),
  ...failing("AUTH-CHALLENGE", {
    "A 401 has no WWW-Authenticate": withRefusals(() => reject("unauthorized"), "authentication"),
  }),
];
