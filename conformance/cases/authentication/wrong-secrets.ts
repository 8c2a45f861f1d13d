/** Section 5: requests that differ from the right one by their credentials alone, each of which gets 401. */
import { createHash, randomUUID } from "node:crypto";
import {
  withAnotherHeader,
  withBearer,
  withHeader,
  withoutSecret,
  withPath,
  withProductHeader,
  type Request,
} from "../../interface/request.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse, twin } from "../../harness/checks.ts";
import { Trial } from "../../harness/trial.ts";

/** A request that does not carry the secret as the interface requires. */
interface WrongSecret {
  readonly id: string;
  readonly title: string;
  /** Default `must`. */
  readonly level?: "must" | "should";
  readonly reading?: string;
  /** What is sent in place of the valid request. */
  spoil(right: Request, trial: Trial): Request;
}

type Spoil = WrongSecret["spoil"];
const asBearer =
  (make: (secret: string, trial: Trial) => string): Spoil =>
  (right, trial) =>
    withBearer(right, make(trial.route.secret, trial));
const inAuthorization =
  (make: (secret: string) => string): Spoil =>
  (right, { route }) =>
    withHeader(right, "authorization", make(route.secret));
const inProductHeader =
  (make: (secret: string) => string): Spoil =>
  (right, { product, route }) =>
    withProductHeader(right, product, make(route.secret));
const inHeader =
  (name: string, make: (secret: string) => string): Spoil =>
  (right, { route }) =>
    withHeader(withoutSecret(right), name, make(route.secret));

/** A third of a secret: enough for a comparison that stops early, too little to guess the rest from two of them. */
export const third = (secret: string) => secret.slice(0, Math.floor(secret.length / 3));
/** Another secret of the same length. */
const wrongFor = (secret: string) => `wrong-${randomUUID()}`.padEnd(secret.length, "0").slice(0, secret.length);
/** With the colon a multiple of three bytes, so that reports recognise the secret in its base64 form and redact it. */
const USER = "webhook-ops";
const base64 = (text: string) => Buffer.from(text).toString("base64");
const percentForm = (text: string) => Buffer.from(text).toString("hex").replace(/../g, "%$&");

const rows: readonly (readonly [id: string, title: string, spoil: Spoil])[] = [
  ["WRONG", "a wrong secret", asBearer(wrongFor)],
  ["PRODUCT-WRONG", "a wrong secret in the product header", inProductHeader(wrongFor)],
  ["MISSING", "no secret at all", withoutSecret],
  ["EMPTY-BEARER", "an empty Bearer secret", asBearer(() => "")],
  ["EMPTY-PRODUCT", "an empty product header", inProductHeader(() => "")],
  ["BLANK-PRODUCT", "a blank product header", inProductHeader(() => "   ")],
  ["PREFIX", "the secret's first third", asBearer(third)],
  [
    "PREFIX-PADDED",
    "the secret's first third, filled up to its length",
    asBearer((s) => third(s).padEnd(s.length, "x")),
  ],
  [
    "LAST-CHARACTER",
    "the secret with another last character",
    asBearer((secret) => secret.slice(0, -1) + (secret.endsWith("0") ? "1" : "0")),
  ],
  ["SUFFIX", "the secret's last third", asBearer((secret) => secret.slice(-third(secret).length))],
  ["LONGER", "the secret with more behind it", asBearer((secret) => `${secret}x`)],
  ["PREFIXED", "the secret with more before it", asBearer((secret) => `x${secret}`)],
  ["OTHER-CASE", "the secret in capital letters", asBearer((secret) => secret.toUpperCase())],
  ["STRANGER-SECRET", "the secret of a route of another session", asBearer((_, { stranger }) => stranger.secret)],
  ["SIBLING-SECRET", "the secret of another route of the same session", asBearer((_, { sibling }) => sibling.secret)],
  ["ROUTE-ID", "the route's own id", asBearer((_, { route }) => route.id)],
  ["NO-SCHEME", "the secret in Authorization without a scheme", inAuthorization((secret) => secret)],
  ["OTHER-SCHEME", "the secret behind another scheme", inAuthorization((secret) => `Token ${secret}`)],
  ["BASIC", "the secret as a Basic password", inAuthorization((secret) => `Basic ${base64(`${USER}:${secret}`)}`)],
  [
    "OTHER-PRODUCT",
    "the secret in another product's header",
    (right, { product, route }) => withProductHeader(right, `${product}-other`, route.secret),
  ],
  ["NO-PRODUCT", "the secret in x-webhook-secret", inHeader("x-webhook-secret", (secret) => secret)],
  ["BASE64", "the secret in base64", asBearer(base64)],
  ["PERCENT", "the secret in percent-encoding", asBearer(percentForm)],
  ["QUOTED", "the secret in quotes", asBearer((secret) => `"${secret}"`)],
  ["DIGEST", "the secret's SHA-256 digest", asBearer((secret) => createHash("sha256").update(secret).digest("hex"))],
  [
    "IN-LIST",
    "a list that holds the secret in the product header",
    inProductHeader((secret) => `wrong, ${secret}, wrong`),
  ],
  ["LONGER-BY-A-WORD", "the secret with another word behind it", asBearer((secret) => `${secret} x`)],
  [
    "SCHEME-ENDS-IN-BEARER",
    "the secret behind a scheme whose name ends in Bearer",
    inAuthorization((secret) => `XBearer ${secret}`),
  ],
  [
    "BOTH-WRONG",
    "a wrong secret in both headers",
    (right, { product }) => withHeader(withBearer(right, "wrong"), `x-${product}-webhook-secret`, "wrong"),
  ],
];

const wrongSecrets: readonly WrongSecret[] = [
  ...rows.map(([id, title, spoil]) => ({ id, title, spoil })),
  {
    id: "SCHEME-LIST",
    title: "the secret as Bearer behind other credentials",
    level: "should",
    reading:
      "RFC 9110, 11.6.2: Authorization holds the credentials of one scheme. A proxy that merges two header lines makes such a list.",
    spoil: inAuthorization((secret) => `Basic x, Bearer ${secret}`),
  },
];

/** A header that HTTP does not allow may be refused for that. */
function mustBeUnauthorizedOrBad(exchange: Exchange): void {
  const { status = 0 } = exchange.answer ?? {};
  check(status === 401 || status === 400, "401 or 400", describe(exchange), exchange);
}

/** What a request sends as Bearer; undefined where it sends nothing. */
function bearerOf({ headers }: Request): string | undefined {
  const [, value] = headers.find(([name]) => name === "authorization") ?? [];
  return value === undefined ? undefined : /^Bearer (\S.*)$/.exec(value)?.[1];
}

export const wrongSecretCases: readonly Case[] = [
  ...wrongSecrets.map(({ id, title, level = "must", reading, spoil }): Case => ({
    id: `AUTH-${id}`,
    title: `401 for ${title}`,
    clauses: ["AUTH-REQUIRED"],
    level,
    requests: 2,
    ...(reading !== undefined && { reading }),
    async run(trial) {
      const right = trial.right();
      twin(await trial.send(right));
      mustRefuse(await trial.send(spoil(right, trial)), { status: 401 });
    },
  })),
  {
    id: "AUTH-PRODUCT-ALMOST",
    title: "401 for what is almost the secret in the product header",
    clauses: ["AUTH-REQUIRED", "AUTH-PRODUCT-HEADER"],
    requests: 30,
    reading: "A value that is wrong as Bearer is wrong in the product header, too.",
    async run(trial) {
      const right = trial.right();
      twin(await trial.send(withProductHeader(right, trial.product, trial.route.secret)));
      for (const { title, spoil } of wrongSecrets) {
        const value = bearerOf(spoil(right, trial));
        if (value === undefined) continue;
        const exchange = await trial.send(withProductHeader(right, trial.product, value));
        const expected = `401 for ${title}, in the product header`;
        check(exchange.answer?.status === 401, expected, describe(exchange), exchange);
      }
    },
  },
  {
    id: "AUTH-REPEATED",
    title: "401 for two wrong secrets in one header that is sent twice",
    clauses: ["AUTH-REQUIRED"],
    requests: 3,
    reading: "400 is as good: HTTP lets a server refuse a header that may be there once and is there twice.",
    async run(trial) {
      const right = trial.right();
      twin(await trial.send(right));
      const header = `x-${trial.product}-webhook-secret`;
      const twice = [
        withAnotherHeader(withBearer(right, "wrong"), "authorization", "Bearer other"),
        withAnotherHeader(withProductHeader(right, trial.product, "wrong"), header, "other"),
      ];
      for (const request of twice) {
        mustBeUnauthorizedOrBad(await trial.send(request));
      }
    },
  },
  {
    id: "AUTH-NON-ASCII",
    title: "401 for a wrong secret with bytes beyond ASCII, and the next request is served",
    clauses: ["AUTH-REQUIRED"],
    requests: 8,
    reading:
      "400 is as good: RFC 9110, 5.5 calls such bytes obsolete in a header. A comparison of texts of one length may be one " +
      "of unequal bytes, on which it fails in its own way.",
    async run(trial) {
      const right = trial.right();
      twin(await trial.send(right));
      const { secret } = trial.route;
      for (const wrong of [`${secret.slice(0, -1)}\u00e9`, "\u00e9".repeat(secret.length), "\u00c3\u00a9"]) {
        for (const request of [withBearer(right, wrong), withProductHeader(right, trial.product, wrong)]) {
          mustBeUnauthorizedOrBad(await trial.send(request));
        }
      }
      mustAccept(await trial.send(right), "the next request accepted");
    },
  },
  {
    id: "AUTH-QUERY",
    title: "401 for the secret in the URL",
    clauses: ["AUTH-REQUIRED"],
    requests: 2,
    reading: "Bears on targets that serve a route's path also with a query; one that does not lets nobody in that way.",
    async run(trial) {
      const { path, secret } = trial.route;
      const right = trial.right();
      const spoiled = withPath(right, `${path}?secret=${secret}&token=${secret}&access_token=${secret}`);
      if (!isAccepted(await trial.send(withPath(right, `${path}?conformance=1`)))) {
        check(!isAccepted(await trial.send(withoutSecret(spoiled))), "a refusal", "accepted");
        throw new NotApplicable("the target does not serve a route's path with a query");
      }
      mustRefuse(await trial.send(withoutSecret(spoiled)), { status: 401 });
    },
  },
];
