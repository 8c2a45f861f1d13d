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
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import { everyCell } from "../../harness/cells.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustTakeTwin } from "../../harness/checks.ts";
import type { Trial } from "../../harness/trial.ts";

/**
 * Headers that look like the two that count; none with "_" in place of "-", which CGI hosts cannot tell apart (RFC 3875,
 * 4.1.18). `product`: the product's name.
 */
const lookalikes = (product: string): readonly string[] => [
  "proxy-authorization",
  "x-authorization",
  "x-api-key",
  "x-auth-token",
  `x-${product}-secret`,
  `x-${product}-webhook-token`,
  `${product}-webhook-secret`,
  "x-webhook-token",
  "x-token",
  "x-secret",
  "x-access-token",
  "x-shared-secret",
  "x-gitlab-token",
  "x-hub-signature",
  "x-hub-signature-256",
  "x-webhook-secret",
  "webhook-secret",
  "x-other-webhook-secret",
  `x-${product}-other-webhook-secret`,
  `x-${product}-webhooks-secret`,
  `x-${product}-webhook-signature`,
  `x-${product}-token`,
  `x-${product}-api-key`,
  "x-webhook-signature",
  "x-signature",
  "x-forwarded-authorization",
  "x-original-authorization",
  "authentication",
  "api-key",
  "apikey",
  "token",
  "secret",
  "private-token",
  "x-auth",
  "x-auth-key",
  "x-telegram-bot-api-secret-token",
  "x-goog-channel-token",
  "referer",
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

/** Places that one request may fill together; a target that looks at any of them finds the secret there. */
const places = (product: string): readonly Place[] => [
  ...lookalikes(product).map((name): Place => ({
    name: `the header ${name}`,
    put: (request, value) => withHeader(request, name, value),
  })),
  {
    name: "a cookie",
    put: (request, value) =>
      withHeader(
        request,
        "cookie",
        names(product)
          .map((name) => `${name}=${value}`)
          .join("; "),
      ),
  },
  { name: "the body", put: inFields },
];

/** Places that a request of their own fills. In the request target any refusal will do: it need not be served at all. */
const apart: readonly Place[] = [
  { name: "a cookie alone", put: (request, value) => withHeader(request, "cookie", `secret=${value}`) },
  {
    name: "the query",
    put: (request, value, { product }) =>
      withPath(
        request,
        `${request.path}?${names(product)
          .map((name) => `${name}=${encodeURIComponent(value)}`)
          .join("&")}`,
      ),
  },
  {
    name: "the path",
    put: (request, value) => withPath(request, `${request.path}/${encodeURIComponent(value)}`),
  },
];

interface Form {
  readonly name: string;
  make(secret: string, body: Uint8Array): string;
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

const forms: readonly Form[] = [
  { name: "the secret", make: (secret) => secret },
  { name: "Bearer and the secret", make: (secret) => `Bearer ${secret}` },
  { name: "the secret in base64", make: (secret) => Buffer.from(secret).toString("base64") },
  { name: "the secret in capital letters", make: (secret) => secret.toUpperCase() },
  { name: "the secret's digest", make: sha256 },
  {
    name: "the body signed with the secret",
    make: (secret, body) => `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
  },
];

interface Column {
  readonly name: string;
  readonly make: Form["make"];
  /** What stands in the two headers that count. */
  readonly beside?: (request: Request, trial: Trial) => Request;
}

/** A target may look elsewhere only where the headers that count hold something wrong. */
const columns: readonly Column[] = [
  ...forms,
  {
    name: "the secret beside a wrong Bearer secret",
    make: (secret) => secret,
    beside: (bare) => withBearer(bare, "wrong"),
  },
  {
    name: "the secret beside a wrong one in the product header",
    make: (secret) => secret,
    beside: (bare, { product }) => withProductHeader(bare, product, "wrong"),
  },
];

const placed = (trial: Trial, bare: Request, value: string, where: readonly Place[]): Request =>
  where.reduce((request, place) => place.put(request, value, trial), bare);

const isRefused = (exchange: Exchange): boolean => exchange.answer !== undefined && !isAccepted(exchange);

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
  {
    id: "AUTH-OTHER-PLACES",
    title: "401 for the secret, in any form, in any place but the two headers that count",
    clauses: ["AUTH-REQUIRED"],
    requests: 90,
    reading:
      "One request has the value in all places at once; only where that is not refused each place is tried alone. In the " +
      "path and the query any refusal will do: a target need not serve those.",
    async run(trial) {
      const right = trial.right();
      mustTakeTwin(await trial.send(right));
      const rows = [...places(trial.product), ...apart].map(({ name }) => name);
      const visit = everyCell(
        trial,
        rows,
        columns.map(({ name }) => name),
      );
      for (const { name: column, make, beside = (request: Request) => request } of columns) {
        const bare = beside(withoutSecret(right), trial);
        const value = make(trial.route.secret, bare.body);
        await mustNotLetIn(trial, bare, value, column);
        for (const { name, put } of apart) {
          const exchange = await trial.send(put(bare, value, trial));
          check(isRefused(exchange), `a refusal of ${column} in ${name}`, describe(exchange), exchange);
        }
        for (const row of rows) visit(row, column);
      }
      mustAccept(await trial.send(right), "the right request accepted afterwards");
    },
  },
];
