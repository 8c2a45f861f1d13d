/** Section 5: secrets compared, looked for and refused in another way. */
import { Buffer } from "node:buffer";
import { reject } from "../../../../plugin/answer.ts";
import type { Exchange } from "../../../../plugin/contract.ts";
import type { JsonObject } from "../../../../plugin/json.ts";
import {
  alsoAuthenticates,
  asText,
  together,
  perStart,
  withEntries,
  withStage,
  withStatuses,
  productHeader,
  ownOf,
  presents,
  withRefusals,
} from "../../changes.ts";
import { acceptsSecretsOf } from "../../secrets-of-others.ts";
import { failing, type Change, type Document, type Subject } from "../../subject.ts";

const challenge = { headers: { "WWW-Authenticate": "Bearer" } };

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

/** Without a header, the secret is taken from the body. */
const inBody = bodyLetsIn((exchange, { secret, token: _token, authorization: _authorization, ...rest }) => {
  const { authorization, [productHeader]: own } = exchange.request.headers;
  exchange.body = rest;
  return (authorization ?? own) === undefined && exchange.context.secretMatches(asText(secret));
});

/** Some requests get an answer of their own, or none, before the secret is looked at. */
const before = (answer: (exchange: Exchange) => ReturnType<typeof reject> | undefined): Change =>
  withStage("authentication", (exchange, right) => answer(exchange) ?? right());

/** After so many wrong secrets an address is refused whatever it sends. */
const WRONG_BEFORE_LOCK = 30;

const locksOut: Change = perStart(() => {
  const wrong = new Map<string, number>();
  return withStage("authentication", async (exchange, right) => {
    const from = exchange.request.socket.remoteAddress ?? "";
    const before = wrong.get(from) ?? 0;
    if (before >= WRONG_BEFORE_LOCK) return reject("unauthorized");
    const outcome = await right();
    if (outcome !== undefined) wrong.set(from, before + 1);
    return outcome;
  });
});

/** The secrets of every route that is configured, disabled ones too, open every route. */
const oneSetOfSecrets: Change = perStart(({ document }) => {
  const { plugins } = document as {
    plugins: { entries: { webhooks: { config: { routes?: Record<string, Document> } } } };
  };
  const { routes = {} } = plugins.entries.webhooks.config;
  const disabled = Object.values(routes).filter(({ enabled }) => enabled === false);
  const secrets = new Set<unknown>(disabled.map(({ secret }) => secret));
  return alsoAuthenticates((_request, secret, presented) => secret !== "" && secrets.has(presented));
});

/** A disabled route is registered all the same, with null for its secret, which is compared as a text. */
const nullSecret: Change = together(
  withEntries((entry) =>
    entry["enabled"] === false ? { ...entry, enabled: true, secret: "secret of nobody" } : entry,
  ),
  alsoAuthenticates((_request, secret, presented) => secret === "secret of nobody" && presented === "null"),
);

export const authentication: readonly Subject[] = [
  ...failing("AUTH-WRONG-SECRETS", {
    // One without a secret stays closed.
    "Routes of one session let in each other's secrets": acceptsSecretsOf(
      (other, route) => typeof route.secret === "string" && other.sessionKey === route.sessionKey,
    ),
    "Each route lets in the secret of a route that is disabled": oneSetOfSecrets,
    "After 30 wrong secrets from an address the right one is refused as well": locksOut,
  }),
  ...failing("AUTH-OTHER-PLACES", { "Without a header the secret is looked for in the body": inBody }),
  ...failing("AUTH-EVERY-ACTION", {
    "Actions that only read do not ask for the secret": bodyLetsIn((_exchange, { action }) =>
      asText(action).startsWith("get_"),
    ),
  }),
  ...failing("SECRET-COLD-CLOSED", {
    "A disabled route is served to whoever sends the text null for its secret": nullSecret,
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
    "The 401 says whether a secret was missing or wrong": ({ context, request }) => {
      const presented = context.parts.presentedSecret(request.headers, context.product);
      return presented === undefined
        ? reject("unauthorized", { error: "A secret is missing.", ...challenge })
        : undefined;
    },
  }),
  ...failing("AUTH-REPEATED", before, {
    "A header that is sent twice ends in an internal error": ({ request: { headersDistinct } }) => {
      const isTwice = [headersDistinct["authorization"], headersDistinct[productHeader]].some(
        (sent = []) => sent.length > 1,
      );
      if (isTwice) throw new TypeError("secret.trim is not a function");
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
