/** Section 5: the secret in every place but the two headers that count, in every form. */
import { createHash, createHmac } from "node:crypto";
import { createFlow } from "../../interface/bodies.ts";
import {
  withAnotherHeader,
  withBearer,
  withBody,
  withHeader,
  withoutSecret,
  withPath,
  withProductHeader,
  type Request,
} from "../../interface/request.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import { everyCell } from "../../harness/cells.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, twin } from "../../harness/checks.ts";
import type { Trial } from "../../harness/trial.ts";
import { lookalikes } from "./lookalikes.ts";

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

const headerPlaces = (product: string): readonly Place[] => [
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
];

/** Places that one request may fill together; a target that looks at any of them finds the secret there. */
const places = (product: string): readonly Place[] => [...headerPlaces(product), { name: "the body", put: inFields }];

/** Places in the request target: it need not be served at all, so any refusal will do. */
const targets: readonly Place[] = [
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

const base64 = (text: string) => Buffer.from(text).toString("base64");
/** With the colon a multiple of three bytes, so that reports recognise the secret in its base64 form. */
const USER = "webhook-ops";

/** Authorization that holds the secret, and not as `Bearer SECRET`. */
const credentials: readonly (readonly [what: string, make: (secret: string) => string])[] = [
  ["a Basic user's name", (secret) => `Basic ${base64(`${secret}:`)}`],
  ["a Basic password without a user", (secret) => `Basic ${base64(`:${secret}`)}`],
  ["a Basic user's password", (secret) => `Basic ${base64(`${USER}:${secret}`)}`],
  ["Basic credentials without a colon", (secret) => `Basic ${base64(secret)}`],
  ["Basic credentials in plain text", (secret) => `Basic ${secret}`],
  ["a scheme without a blank behind it", (secret) => `Bearer${secret}`],
  ["a scheme with a colon", (secret) => `Bearer: ${secret}`],
  ["a scheme with an equals sign", (secret) => `Bearer=${secret}`],
  ["a parameter of Bearer", (secret) => `Bearer token="${secret}"`],
  ["a parameter of Digest", (secret) => `Digest username="${USER}", response="${secret}"`],
  ["Bearer twice", (secret) => `Bearer Bearer ${secret}`],
  ["the scheme ApiKey", (secret) => `ApiKey ${secret}`],
  ["the scheme Secret", (secret) => `Secret ${secret}`],
  ["the scheme Token", (secret) => `Token ${secret}`],
  ["a scheme that begins with Bearer", (secret) => `BearerToken ${secret}`],
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
      twin(await trial.send(right));
      const rows = [...places(trial.product), ...targets].map(({ name }) => name);
      const visit = everyCell(
        trial,
        rows,
        columns.map(({ name }) => name),
      );
      for (const { name: column, make, beside = (request: Request) => request } of columns) {
        const bare = beside(withoutSecret(right), trial);
        const value = make(trial.route.secret, bare.body);
        await mustNotLetIn(trial, bare, value, column);
        for (const { name, put } of targets) {
          const exchange = await trial.send(put(bare, value, trial));
          check(isRefused(exchange), `a refusal of ${column} in ${name}`, describe(exchange), exchange);
        }
        for (const row of rows) visit(row, column);
      }
      mustAccept(await trial.send(right), "the right request accepted afterwards");
    },
  },
  {
    id: "AUTH-OTHER-CREDENTIALS",
    title: "401 for the secret in Authorization in any other way than as Bearer",
    clauses: ["AUTH-REQUIRED"],
    requests: 20,
    reading: "400 is as good where the header is none that HTTP knows.",
    async run(trial) {
      const right = trial.right();
      twin(await trial.send(right));
      const column = "in Authorization";
      const visit = everyCell(
        trial,
        credentials.map(([what]) => what),
        [column],
      );
      for (const [what, make] of credentials) {
        const exchange = await trial.send(withHeader(right, "authorization", make(trial.route.secret)));
        const { status } = exchange.answer ?? {};
        check(status === 401 || status === 400, `401 for the secret as ${what}`, describe(exchange), exchange);
        visit(what, column);
      }
    },
  },
  {
    id: "AUTH-INACTIVE-ROUTES",
    title: "A route that is disabled or without its secret lets nobody in, whatever the place and form of the secret",
    clauses: ["COLD-ROUTE", "CONFIG-ENABLED"],
    requests: 24,
    reading: "One request has the value in every place but the body, the two headers that count included.",
    async run(trial) {
      const inactive: readonly (readonly [what: string, ConfiguredRoute])[] = [
        ["a route without its secret", trial.special("cold")],
        ["a disabled route", trial.special("disabled")],
      ];
      const values: readonly (readonly [what: string, value: (route: ConfiguredRoute) => string])[] = [
        ["its own secret", ({ secret }) => secret],
        ["another route's secret", () => trial.special("explicitlyEnabled").secret],
        ["the text undefined", () => "undefined"],
        ["the text null", () => "null"],
        ["its variable's name", ({ variable }) => variable],
        ["its variable as the shell has it", ({ variable }) => `$${variable}`],
        ["its variable in braces", ({ variable }) => `\${${variable}}`],
        ["its id", ({ id }) => id],
        ["its session key", ({ sessionKey }) => sessionKey],
      ];
      twin(await trial.post(createFlow(), trial.special("explicitlyEnabled")));
      const visit = everyCell(
        trial,
        inactive.map(([what]) => what),
        values.map(([what]) => what),
      );
      for (const [route, at] of inactive) {
        const bare = withoutSecret(trial.right(createFlow(), at));
        for (const [what, valueOf] of values) {
          const value = valueOf(at);
          const filled = withBearer(placed(trial, bare, value, headerPlaces(trial.product)), value);
          const exchange = await trial.send(withAnotherHeader(filled, `x-${trial.product}-webhook-secret`, value));
          check(isRefused(exchange), `a refusal of ${what} at ${route}`, describe(exchange), exchange);
          visit(route, what);
        }
      }
    },
  },
];
