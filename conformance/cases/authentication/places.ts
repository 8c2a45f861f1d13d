/** Section 5: the secret in every place but the two headers that count, in every form. */
import { createHash, createHmac } from "node:crypto";
import {
  withBearer,
  withBody,
  withHeader,
  withoutSecret,
  withPath,
  withProductHeader,
  type Request,
} from "../../interface/request.ts";
import { describe, isAccepted } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustTakeTwin } from "../../harness/checks.ts";
import type { Trial } from "../../harness/trial.ts";
import { rowCase } from "../../oracle/row-case.ts";
import { namesOf } from "../../oracle/flow-factors.ts";

/**
 * Headers that look like the two that count; none with "_" in place of "-", which CGI hosts cannot tell apart (RFC 3875,
 * 4.1.18). `product`: the product's name.
 */
const lookalikes = (product: string): readonly string[] => [
  ...[
    "proxy-authorization x-authorization x-forwarded-authorization x-original-authorization authentication",
    "x-api-key api-key apikey x-auth-token x-token token x-access-token private-token x-auth x-auth-key referer",
    "x-secret secret x-shared-secret x-signature x-webhook-signature x-webhook-token x-webhook-secret webhook-secret",
    "x-other-webhook-secret x-gitlab-token x-hub-signature x-hub-signature-256 x-telegram-bot-api-secret-token",
    "x-goog-channel-token",
  ].flatMap((line) => line.split(" ")),
  ...[
    "secret",
    "webhook-token",
    "other-webhook-secret",
    "webhooks-secret",
    "webhook-signature",
    "token",
    "api-key",
  ].map((end) => `x-${product}-${end}`),
  `${product}-webhook-secret`,
];

/** Names under which cookies, queries and bodies carry credentials. */
const names = (product: string): readonly string[] => [
  `x-${product}-webhook-secret`,
  ..."secret token authorization auth key api_key access_token webhook_secret password".split(" "),
  ..."sharedSecret webhookSecret bearer session sig signature".split(" "),
];

interface Place {
  readonly name: string;
  /** The request, which carries no secret, with `value` in this place. */
  put(request: Request, value: string, trial: Trial): Request;
}

const inFields = (request: Request, value: string, { product }: Trial): Request => {
  const sent = JSON.parse(new TextDecoder().decode(request.body)) as object;
  const flat = Object.fromEntries(names(product).map((name) => [name, value]));
  const nested = { auth: flat, headers: { authorization: `Bearer ${value}`, ...flat } };
  return withBody(request, JSON.stringify({ ...sent, ...flat, ...nested }));
};

/** The names with a value each, as a cookie or a query has them. */
const pairs = ({ product }: Trial, value: string, between: string): string =>
  names(product)
    .map((name) => `${name}=${value}`)
    .join(between);

/** Places that one request may fill together; a target that looks at any of them finds the secret there. */
const places = (product: string): readonly Place[] => [
  ...lookalikes(product).map((name): Place => ({
    name: `the header ${name}`,
    put: (request, value) => withHeader(request, name, value),
  })),
  { name: "a cookie", put: (request, value, trial) => withHeader(request, "cookie", pairs(trial, value, "; ")) },
  { name: "the body", put: inFields },
];

/** Places that a request of their own fills. In the request target any refusal will do: it need not be served at all. */
const apart: Readonly<Record<string, Place["put"]>> = {
  "a cookie alone": (request, value) => withHeader(request, "cookie", `secret=${value}`),
  "the query alone": (request, value) => withPath(request, `${request.path}?secret=${encodeURIComponent(value)}`),
  "the query": (request, value, trial) =>
    withPath(request, `${request.path}?${pairs(trial, encodeURIComponent(value), "&")}`),
  "the path": (request, value) => withPath(request, `${request.path}/${encodeURIComponent(value)}`),
};
const TOGETHER = "all other places";

interface Value {
  readonly make: (secret: string, body: Uint8Array) => string;
  /** What stands in the two headers that count. */
  readonly beside?: (request: Request, trial: Trial) => Request;
}

const itself = (secret: string): string => secret;

/** A target may look elsewhere only where the headers that count hold something wrong. */
const values: Readonly<Record<string, Value>> = {
  "the secret": { make: itself },
  "Bearer and the secret": { make: (secret) => `Bearer ${secret}` },
  "the secret in base64": { make: (secret) => Buffer.from(secret).toString("base64") },
  "the secret in capital letters": { make: (secret) => secret.toUpperCase() },
  "the secret's digest": { make: (secret) => createHash("sha256").update(secret).digest("hex") },
  "the body signed with the secret": {
    make: (secret, body) => `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
  },
  "the secret beside a wrong Bearer secret": { make: itself, beside: (bare) => withBearer(bare, "wrong") },
  "the secret beside a wrong one in the product header": {
    make: itself,
    beside: (bare, { product }) => withProductHeader(bare, product, "wrong"),
  },
};

const placed = (trial: Trial, bare: Request, value: string, where: readonly Place[]): Request =>
  where.reduce((request, place) => place.put(request, value, trial), bare);

/** One request for all places; where that gets no 401, one for each, so that the place can be named. */
async function mustNotLetIn(trial: Trial, bare: Request, value: string, what: string): Promise<void> {
  const all = places(trial.product);
  const together = await trial.send(placed(trial, bare, value, all));
  if (together.answer?.status === 401) return;
  for (const place of all) {
    const exchange = await trial.send(placed(trial, bare, value, [place]));
    check(exchange.answer?.status === 401, `401 for ${what} in ${place.name}`, describe(exchange), exchange);
  }
  // So many headers may be refused for their number.
  check(!isAccepted(together), `a refusal of ${what} in all other places at once`, describe(together), together);
}

export const placeCases: readonly Case[] = [
  rowCase({
    id: "AUTH-OTHER-PLACES",
    title: "401 for the secret, in any form, in any place but the two headers that count",
    clauses: ["AUTH-REQUIRED"],
    requests: 90,
    reading:
      "One request has the value in all places at once; only where that is not refused each place is tried alone. In the " +
      "path and the query any refusal will do: a target need not serve those.",
    client: "one",
    table: { factors: { value: namesOf(values), place: [TOGETHER, ...namesOf(apart)] } },
    async valuesOf(trial) {
      mustTakeTwin(await trial.send(trial.right()));
      return {};
    },
    async play(trial, { value: what, place }) {
      const { make, beside = (request: Request) => request } = values[what] ?? { make: itself };
      const bare = beside(withoutSecret(trial.right()), trial);
      const value = make(trial.route.secret, bare.body);
      const alone = apart[place];
      if (alone === undefined) return mustNotLetIn(trial, bare, value, what);
      const exchange = await trial.send(alone(bare, value, trial));
      const isRefused = exchange.answer !== undefined && !isAccepted(exchange);
      check(isRefused, `a refusal of ${what} in ${place}`, describe(exchange), exchange);
    },
    async look(trial) {
      mustAccept(await trial.send(trial.right()), "the right request accepted afterwards");
      return undefined;
    },
  }),
];
