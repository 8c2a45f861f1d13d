/** Section 5: secrets compared, looked for and refused in another way, and let in though they are wrong. */
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { reject } from "../../../../plugin/answer.ts";
import type { Exchange } from "../../../../plugin/contract.ts";
import type { JsonObject } from "../../../../plugin/json.ts";
import {
  asText,
  perStart,
  runStage,
  together,
  tried,
  withEntries,
  withRefusals,
  withStage,
  withStatuses,
} from "../../changes.ts";
import { letsIn, letsWarmIn, ownOf, presents, productHeader } from "../../lets-in.ts";
import { allFailing, failing, type Change, type Subject } from "../../subject.ts";

/** The body is read before the authentication, and lets some requests in. */
const bodyLetsIn = (lets: (exchange: Exchange, body: JsonObject) => boolean): Change =>
  together(
    withStage("authentication", async (exchange, right) => {
      const failed = await runStage("body", exchange);
      if (failed !== undefined) return (await right()) ?? failed;
      return lets(exchange, exchange.body ?? {}) ? undefined : right();
    }),
    withStage("body", (exchange, right) => (exchange.body === undefined ? right() : undefined)),
  );

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

/** A connection keeps what was right on it, whichever route that was for. */
const knownOnConnection = new WeakMap<object, string>();
const rightOnConnection = withStage("authentication", async ({ request, context: { route } }, right) => {
  const { socket, headers } = request;
  const { authorization } = headers;
  const isKnown = authorization !== undefined && knownOnConnection.get(socket) === authorization;
  const outcome = isKnown && typeof route.secret === "string" ? undefined : await right();
  if (outcome === undefined && authorization !== undefined) knownOnConnection.set(socket, authorization);
  return outcome;
});

const decoded = (text: string, encoding: "base64" | "hex"): string => Buffer.from(text, encoding).toString();
const digest = (secret: string): string => createHash("sha256").update(secret).digest("hex");
const sorted = (text: string): string => text.split("").toSorted().join("");
const urlSafe = (text: string): string => text.replaceAll("+", "-").replaceAll("/", "_");
const unpadded = (text: string): string => text.replace(/=+$/, "");
const basic = (authorization: string): string => decoded(/^Basic (\S+)/.exec(authorization)?.[1] ?? "", "base64");

export const percentDecoded = (text: string): string => tried(() => decodeURIComponent(text), text);

export const authentication: readonly Subject[] = [
  ...failing({
    "AUTH-WRONG-SECRETS: After 30 wrong secrets from an address the right one is refused as well": locksOut,
    "REQUEST-SECRET: A secret that was right on its connection is right for every route on it": rightOnConnection,
    "REQUEST-SECRET: Without a header the secret is looked for in the body": bodyLetsIn(
      (exchange, { secret, ...rest }) => {
        const { authorization, [productHeader]: own } = exchange.request.headers;
        exchange.body = rest;
        return (authorization ?? own) === undefined && exchange.context.secretMatches(asText(secret));
      },
    ),
    "AUTH-EVERY-ACTION: Actions that only read do not ask for the secret": bodyLetsIn((_exchange, { action }) =>
      asText(action).startsWith("get_"),
    ),
    "SECRET-COLD-CLOSED: A disabled route is served to whoever sends the text null for its secret": together(
      withEntries((entry) => (entry["enabled"] === false ? { ...entry, enabled: true, secret: "of nobody" } : entry)),
      letsIn(({ secret, presented }) => secret === "of nobody" && presented === "null"),
    ),
    "AUTH-BEARER, REQUEST-RIGHT: Authorization is not looked at: only the product's own header counts": presents(ownOf),
    "AUTH-PRODUCT-BESIDE-OTHER-SCHEME: Any Authorization hides the product's own header": presents((headers, right) =>
      headers.authorization === undefined ? right(headers) : right({ ...headers, [productHeader]: undefined }),
    ),
    "REQUEST-RIGHT: The product's own header is not looked at": presents((headers, right) =>
      right({ ...headers, [productHeader]: undefined }),
    ),
    "AUTH-ALL-CHARACTERS: A Bearer secret is made of letters, digits, points and hyphens; any other is none": presents(
      (headers, right) => {
        const presented = right(headers);
        return headers.authorization !== undefined && !/^[\w.-]+$/.test(presented ?? "") ? undefined : presented;
      },
    ),
    "AUTH-WRONG-SECRETS: A header that is sent twice ends in an internal error": withStage(
      "authentication",
      ({ request: { headersDistinct } }, right) => {
        const sent = [headersDistinct["authorization"], headersDistinct[productHeader]];
        if (sent.some((values = []) => values.length > 1)) throw new TypeError("secret.trim is not a function");
        return right();
      },
    ),
    "AUTH-WRONG-SECRETS: Secrets of as many characters are compared byte by byte, which fails for bytes of another number":
      presents((headers, right) => {
        const presented = right(headers) ?? "";
        if (Buffer.byteLength(presented) === presented.length) return presented;
        throw new RangeError("Input buffers must have the same length");
      }),
    "GAP-REFUSED-AUTH: A wrong secret gets the code request_rejected": together(
      withStatuses({ request_rejected: 401 }),
      withRefusals((refusal) => ({ ...refusal, code: "request_rejected" }), "authentication"),
    ),
    "AUTH-WRONG, AUTH-WRONG-SECRETS, REQUEST-SECRET, SECRET-COLD-CLOSED: A wrong secret gets 403": withStatuses({
      unauthorized: 403,
    }),
    "AUTH-CLIENT-NAMED: Whoever says to come from 127.0.0.1 needs no secret": letsWarmIn(
      ({ headers }) => headers["x-forwarded-for"] === "127.0.0.1",
    ),
  }),
  ...allFailing("AUTH-ALL-CHARACTERS", letsWarmIn, {
    "Secrets are equal where their bytes in base64 are": ({ presented, secret }) =>
      urlSafe(presented) === urlSafe(secret),
    "Secrets are equal where their characters before the = are": ({ presented, secret }) =>
      unpadded(presented) === unpadded(secret),
    "Secrets are equal where the sums of their bytes are": ({ presented, secret }) =>
      sorted(presented) === sorted(secret),
  }),
  ...allFailing("AUTH-WRONG-SECRETS", letsWarmIn, {
    "Routes of one session let in each other's secrets": ({ presented, route, routes }) =>
      routes.some(({ secret, sessionKey }) => secret === presented && sessionKey === route.sessionKey),
    "Each route lets in the secret of a route that is disabled": ({ presented, entries }) =>
      Object.values(entries).some(({ enabled, secret }) => enabled === false && secret === presented),
    "A secret of the right length is let in, as the comparison's result is not looked at": ({ presented, secret }) =>
      presented.length === secret.length,
    "An empty Bearer secret is let in": ({ authorization }) => /^bearer\s*$/i.test(authorization),
    "An empty secret in the product's own header is let in": ({ headers }) => headers[productHeader] === "",
    "Only the first 72 characters of a secret count": ({ presented, secret }) =>
      presented.slice(0, 72) === secret.slice(0, 72),
    "The route's own id is a secret as well, left from the set-up": ({ presented, route }) => presented === route.id,
    "The secret is let in without a scheme before it": ({ authorization, secret }) => authorization === secret,
    "The secret is let in as a Basic password": ({ authorization, secret }) =>
      basic(authorization).split(":")[1] === secret,
    "The secret is let in as a Basic user's name with an empty password": ({ authorization, secret }) =>
      basic(authorization) === `${secret}:`,
    "The secret is let in when it comes in percent-encoding": ({ presented, secret }) =>
      percentDecoded(presented) === secret,
    "The secret is let in also in hex": ({ presented, secret }) => decoded(presented, "hex") === secret,
    "Quotes around the secret are taken away": ({ presented, secret }) =>
      presented.replace(/^"(.*)"$/, "$1") === secret,
    "The secret's digest is let in like the secret": ({ presented, secret }) => presented === digest(secret),
    "The secret is the second word of Authorization, whatever follows it": ({ authorization, secret }) =>
      /^bearer (\S*)/i.exec(authorization)?.[1] === secret,
    "Of the scheme's name only the end is looked at": ({ authorization, secret }) =>
      /^\S*bearer +(\S+)$/i.exec(authorization)?.[1] === secret,
    "Bearer credentials may be a parameter called token": ({ authorization, secret }) =>
      authorization === `Bearer token="${secret}"`,
    "The product's header is read as a list, of which any item lets in": ({ own, secret }) =>
      own.includes(",") && own.split(",").some((item) => item.trim() === secret),
    "The product's header is read as a list, of which the first item lets in": ({ own, secret }) =>
      own.includes(",") && own.split(",")[0]?.trim() === secret,
    "In the product header a scheme may stand before the secret": ({ own, secret }) => own === `Bearer ${secret}`,
    "In the product's header any beginning of the secret is let in": ({ own, secret }) =>
      own !== "" && secret.startsWith(own),
    "In the product's header anything that begins with the secret is let in": ({ own, secret }) =>
      own.startsWith(secret),
    "In the product's header the secret is let in whatever its case": ({ own, secret }) =>
      own.toLowerCase() === secret.toLowerCase(),
    "In the product's header the secret is let in also in base64": ({ own, secret }) =>
      decoded(own, "base64") === secret,
  }),
  ...allFailing("REQUEST-SECRET", letsWarmIn, {
    "Any header that ends in -webhook-secret is looked at": ({ headers, secret }) =>
      Object.entries(headers).some(([name, value]) => name.endsWith("webhook-secret") && value === secret),
    "Where Authorization is none of Bearer any header that ends in -webhook-secret is looked at": (sent) =>
      sent.authorization !== "" &&
      !/^bearer/i.test(sent.authorization) &&
      Object.entries(sent.headers).some(([name, value]) => name.endsWith("webhook-secret") && value === sent.secret),
    "The secret is let in as the parameter `auth` of the URL": ({ url, secret }) =>
      new URL(url, "http://gateway").searchParams.get("auth") === secret,
    "What stands behind the first `secret=` of the URL is let in": ({ url, secret }) =>
      url.slice(url.indexOf("secret=") + 7) === secret,
    "Where the Bearer secret is wrong a cookie is looked at, whose name is the product header's": (sent) =>
      sent.authorization !== "" && (sent.headers.cookie ?? "").split("; ").includes(`${productHeader}=${sent.secret}`),
    "A request whose one cookie is the secret is let in": ({ headers, secret }) =>
      headers.authorization === undefined && headers.cookie === `secret=${secret}`,
    "With both headers each check leaves the request to the other": ({ headers }) =>
      headers.authorization !== undefined && headers[productHeader] !== undefined,
    "At a path in absolute form any secret is let in": ({ url }) => !url.startsWith("/"),
  }),
];
