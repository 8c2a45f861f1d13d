/** Section 5: the authentication gone wrong. */
import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { reject } from "../../../../plugin/answer.ts";
import type { BodyOutcome } from "../../../../plugin/body.ts";
import type { MaybePromise } from "../../../../plugin/ports.ts";
import { asText, alsoAuthenticates, both, withParts, withStage, withStatuses } from "../../changes.ts";
import { acceptsSecretsOf } from "../../secrets-of-others.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

const authorizationOf = ({ headers }: IncomingMessage): string => headers.authorization ?? "";
const productHeader = "x-service-webhook-secret";
/** The part of a secret that a comparison of 14 bytes sees. */
const start = (text: string): string => text.slice(0, 14);

/** Without a header, the secret is taken from the body. */
const inBody: Change = {
  parts: (parts) => {
    const read = new WeakMap<IncomingMessage, MaybePromise<BodyOutcome>>();
    const readBody: typeof parts.readBody = (request, limits, clock) => {
      const body = read.get(request) ?? parts.readBody(request, limits, clock);
      read.set(request, body);
      return body;
    };
    return {
      ...parts,
      readBody,
      stages: parts.stages.map((stage) =>
        stage.name !== "authentication"
          ? stage
          : {
              name: stage.name,
              run: async (exchange) => {
                const { context, request } = exchange;
                if (authorizationOf(request) !== "" || request.headers[productHeader] !== undefined) {
                  return stage.run(exchange);
                }
                const bytes = await readBody(request, parts.limits, context.clock);
                const body = typeof bytes === "string" ? undefined : parts.parseBody(bytes, parts.limits.jsonDepth);
                return context.secretMatches(asText(body?.["secret"])) ? undefined : stage.run(exchange);
              },
            },
      ),
      parseBody: (bytes, depth) => {
        const body = parts.parseBody(bytes, depth);
        if (body === undefined || !("secret" in body)) return body;
        const { secret: _secret, token: _token, authorization: _authorization, ...rest } = body;
        return rest;
      },
    };
  },
};

/** A route accepts the secrets of all routes, or of those of its session. One without a secret stays closed. */
const amongRoutes = (sameSession: boolean): Change =>
  acceptsSecretsOf(
    (other, route) => typeof route.secret === "string" && (!sameSession || other.sessionKey === route.sessionKey),
  );

const lets = (bug: string, kill: string, rule: Parameters<typeof alsoAuthenticates>[0]) => ({
  bug,
  kills: [kill],
  change: alsoAuthenticates(rule),
});

const alike = (what: string, same: (text: string) => string) =>
  lets(`Secrets are equal where ${what} are.`, "AUTH-ALL-CHARACTERS", (_request, secret, presented = "") => {
    return secret !== "" && same(presented) === same(secret);
  });

export const authentication: readonly Subject[] = subjectsOf<Subject>({
  "auth-base64-bytes": alike("their bytes in base64", (text) => text.replaceAll("+", "-").replaceAll("/", "_")),
  "auth-padding": alike("their characters before the =", (text) => text.replace(/=+$/, "")),
  "auth-sum": alike("the sums of their bytes", (text) => text.split("").toSorted().join("")),
  "auth-bearer-ignored": {
    bug: "Authorization is not looked at: only the product's own header counts.",
    kills: ["AUTH-BEARER", "REQUEST-RIGHT"],
    change: withParts({ presentedSecret: (headers) => headers[productHeader] as string | undefined }),
  },
  "auth-product-header-ignored": {
    bug: "The product's own header is not looked at.",
    kills: ["AUTH-PRODUCT-HEADER"],
    change: withParts({ presentedSecret: ({ authorization = "" }) => /^bearer\s+(.+)$/i.exec(authorization)?.[1] }),
  },
  "auth-length-only": lets(
    "A secret of the right length is let in: the result of the comparison is not looked at.",
    "AUTH-WRONG-SECRETS",
    (_request, secret, presented) => presented?.length === secret.length,
  ),
  "auth-product-header-unchecked": lets(
    "Any secret in the product's own header is let in.",
    "AUTH-WRONG-SECRETS",
    ({ headers }) => (headers[productHeader] ?? "") !== "",
  ),
  "auth-optional": lets(
    "A request without any secret is let in.",
    "REQUEST-SECRET",
    ({ headers }, secret) =>
      secret !== "" && headers.authorization === undefined && headers[productHeader] === undefined,
  ),
  "auth-empty-bearer": lets(
    "An empty Bearer secret is let in.",
    "AUTH-WRONG-SECRETS",
    (request, secret) => secret !== "" && /^bearer\s*$/i.test(authorizationOf(request)),
  ),
  "auth-empty-product-header": lets(
    "An empty secret in the product's own header is let in.",
    "AUTH-WRONG-SECRETS",
    ({ headers }, secret) => secret !== "" && headers[productHeader] === "",
  ),
  "auth-first-bytes": lets(
    "Only the first bytes of the secret are compared.",
    "AUTH-WRONG-SECRETS",
    (_request, secret, presented = "") => secret !== "" && start(presented) === start(secret),
  ),
  "auth-part": lets(
    "Any part of the secret is let in.",
    "AUTH-WRONG-SECRETS",
    (_request, secret, presented = "") => presented.length > 3 && secret.includes(presented),
  ),
  "auth-prefixed": lets(
    "What stands before the secret is ignored.",
    "AUTH-WRONG-SECRETS",
    (_request, secret, presented) => secret !== "" && presented?.endsWith(secret) === true,
  ),
  "auth-any-route": {
    bug: "A route lets in whoever has the secret of any route.",
    kills: ["AUTH-WRONG-SECRETS"],
    change: amongRoutes(false),
  },
  "auth-session": {
    bug: "Routes of one session let in each other's secrets.",
    kills: ["AUTH-WRONG-SECRETS"],
    change: amongRoutes(true),
  },
  "auth-route-id": lets(
    "The route's own id is a secret as well, left from the set-up.",
    "AUTH-WRONG-SECRETS",
    (_request, secret, presented, route) => secret !== "" && presented === route.id,
  ),
  "auth-no-scheme": lets(
    "The secret is let in without a scheme before it.",
    "AUTH-WRONG-SECRETS",
    (request, secret) => secret !== "" && authorizationOf(request) === secret,
  ),
  "auth-any-scheme": lets(
    "The scheme's name is not looked at.",
    "AUTH-WRONG-SECRETS",
    (request, secret) => secret !== "" && /^\S+ (\S+)$/.exec(authorizationOf(request))?.[1] === secret,
  ),
  "auth-basic": lets("The secret is let in as a Basic password.", "AUTH-WRONG-SECRETS", (request, secret) => {
    const [scheme = "", value = ""] = authorizationOf(request).split(" ");
    const password = Buffer.from(value, "base64").toString("utf8").split(":")[1];
    return secret !== "" && scheme === "Basic" && password === secret;
  }),
  "auth-any-product": lets(
    "Any header that ends in -webhook-secret is looked at.",
    "AUTH-OTHER-PLACES",
    ({ headers }, secret) =>
      secret !== "" &&
      Object.entries(headers).some(([name, value]) => name.endsWith("webhook-secret") && value === secret),
  ),
  "auth-cookie": lets(
    "The secret is let in as a cookie.",
    "AUTH-OTHER-PLACES",
    ({ headers }, secret) => secret !== "" && headers.cookie?.includes(`=${secret}`) === true,
  ),
  "auth-query": lets(
    "The secret is let in as a parameter of the URL.",
    "AUTH-OTHER-PLACES",
    ({ url = "" }, secret) => secret !== "" && url.includes(`=${secret}`),
  ),
  "auth-body": {
    bug: "Without a header the secret is looked for in the body.",
    kills: ["AUTH-OTHER-PLACES"],
    change: inBody,
  },
  "auth-scheme-exact": {
    bug: "The scheme's name is compared letter by letter.",
    kills: ["AUTH-SCHEME-CASE"],
    change: withParts({
      presentedSecret: (headers) =>
        /^Bearer\s+(.+)$/.exec(headers.authorization ?? "")?.[1] ?? (headers[productHeader] as string | undefined),
    }),
  },
  "auth-told-apart": {
    bug: "The 401 says whether a secret was missing or wrong.",
    kills: ["AUTH-SAME-ANSWER"],
    change: withStage("authentication", ({ run }) => (exchange) => {
      const { context, request } = exchange;
      if (context.parts.presentedSecret(request.headers, context.product) !== undefined) return run(exchange);
      return reject("unauthorized", { error: "A secret is missing.", headers: { "WWW-Authenticate": "Bearer" } });
    }),
  },
  "auth-code-forbidden": {
    bug: "A wrong secret gets the code request_rejected.",
    kills: ["AUTH-CODE"],
    change: both(
      withStatuses({ request_rejected: 401 }),
      withStage("authentication", ({ run }) => async (exchange) => {
        const outcome = await run(exchange);
        return typeof outcome === "object" ? { ...outcome, code: "request_rejected" } : outcome;
      }),
    ),
  },
  "auth-403": {
    bug: "A wrong secret gets 403.",
    kills: ["AUTH-WRONG", "AUTH-WRONG-SECRETS", "REQUEST-SECRET", "SECRET-COLD-CLOSED"],
    change: withStatuses({ unauthorized: 403 }),
  },
  "auth-no-challenge": {
    bug: "A 401 has no WWW-Authenticate.",
    kills: ["AUTH-CHALLENGE"],
    change: withStage(
      "authentication",
      ({ run }) =>
        async (exchange) =>
          (await run(exchange)) === undefined ? undefined : reject("unauthorized"),
    ),
  },
  "auth-product-header-wins": {
    bug: "Of two secrets that disagree the product header's one counts.",
    kills: ["AUTH-BEARER-WINS"],
    change: {
      parts: (parts) => ({
        ...parts,
        presentedSecret: (headers, product) =>
          (headers[productHeader] as string | undefined) ?? parts.presentedSecret(headers, product),
      }),
    },
  },
  "auth-too-late": {
    bug: "The action is carried out before the secret is checked.",
    kills: ["REQUEST-SECRET"],
    change: withStage("authentication", (stage) => async (exchange) => {
      const outcome = await stage.run(exchange);
      if (outcome === undefined) return undefined;
      for (const { name, run } of exchange.context.parts.stages)
        if (name === "body" || name === "action") await run(exchange);
      return outcome;
    }),
  },
  "auth-72-characters": {
    bug: "Only the first 72 characters of a secret count.",
    kills: ["AUTH-WRONG-SECRETS"],
    change: withParts({
      createSecretCheck: (secret) => (presented) =>
        typeof secret === "string" && presented?.slice(0, 72) === secret.slice(0, 72),
    }),
  },
});
