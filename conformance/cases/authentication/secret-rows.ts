/** Section 5: what is not the secret, in each of the two headers that count, and what lets nobody in at all; failures that are answered alike. */
import { createHash, createHmac, randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { createFlow } from "../../interface/bodies.ts";
import { percentAt } from "../../interface/near-values.ts";
import {
  withAnotherHeader,
  withBearer,
  withHeader,
  withoutSecret,
  withProductHeader,
  type Request,
} from "../../interface/request.ts";
import { describe, envelopeOf, textOf, type Exchange } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse, mustTakeTwin } from "../../harness/checks.ts";
import type { Trial } from "../../harness/trial.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import { specialRoutes } from "../../targets/standard-routes.ts";
import { rowCase } from "../../oracle/row-case.ts";
import { rowsOf, type Row, type Table } from "../../oracle/rows.ts";
import { namesOf } from "../../oracle/flow-factors.ts";

type Make = (secret: string, trial: Trial, body: Uint8Array) => string;

const base64 = (text: string): string => Buffer.from(text).toString("base64");
const hex = (text: string): string => Buffer.from(text).toString("hex");
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const middle = (secret: string): number => Math.floor(secret.length / 2);
/** A third of a secret: enough for a comparison that stops early, too little to guess the rest from two of them. */
const third = (secret: string): string => secret.slice(0, Math.floor(secret.length / 3));
const otherAt = (secret: string, at: number) =>
  secret.slice(0, at) + (secret.charAt(at) === "0" ? "1" : "0") + secret.slice(at + 1);
/** With the colon a multiple of three bytes, so that reports recognise the secret in its base64 form and redact it. */
const USER = "webhook-ops:";

const WRONG = "a wrong secret of the same length";

/** A comparison of texts of one length may be one of unequal bytes, on which it fails in its own way. */
const beyondAscii: Readonly<Record<string, Make>> = {
  "the secret with a last character beyond ASCII": (secret) => `${secret.slice(0, -1)}\u00e9`,
  "characters beyond ASCII": (secret) => "\u00e9".repeat(secret.length),
  "two bytes beyond ASCII": () => "\u00c3\u00a9",
};

/** Near the secret, or a value that careless code takes for one. */
const misses: Readonly<Record<string, Make>> = {
  [WRONG]: (secret) => "wrong".padEnd(secret.length, "0"),
  "an empty secret": () => "",
  "three spaces": () => "   ",
  "the secret's first third": third,
  "the secret's first third, filled up": (secret) => third(secret).padEnd(secret.length, "x"),
  "the secret's last third": (secret) => secret.slice(-third(secret).length),
  "the secret without its first character": (secret) => secret.slice(1),
  "the secret without its last character": (secret) => secret.slice(0, -1),
  "the secret with another middle character": (secret) => otherAt(secret, middle(secret)),
  "the secret with another last character": (secret) => otherAt(secret, secret.length - 1),
  ...beyondAscii,
  "the secret and an x": (secret) => `${secret}x`,
  "an x and the secret": (secret) => `x${secret}`,
  "the secret and another word": (secret) => `${secret} x`,
  "another word and the secret": (secret) => `wrong ${secret}`,
  "the secret twice": (secret) => secret + secret,
  "a list with the secret": (secret) => `wrong, ${secret}, wrong`,
  "a list that begins with the secret": (secret) => `${secret}, wrong`,
  "the secret and a parameter": (secret) => `${secret}; v=1`,
  "the secret with a space inside": (secret) => `${secret.slice(0, 6)} ${secret.slice(6)}`,
  "the secret in capitals": (secret) => secret.toUpperCase(),
  "the secret with one character percent-encoded": (secret) => percentAt(secret, 0),
  "the secret in percent-encoding": (secret) => hex(secret).replace(/../g, "%$&"),
  "the secret with one character escaped as in JSON": (secret) => `\\u00${hex(secret.charAt(0))}${secret.slice(1)}`,
  "the secret in quotes": (secret) => `"${secret}"`,
  "the secret after a second Bearer": (secret) => `Bearer ${secret}`,
  "the secret in hex": hex,
  "the secret in base64": base64,
  "the secret in base64 for URLs": (secret) => Buffer.from(secret).toString("base64url"),
  "the secret's SHA-256 digest": sha256,
  "the body signed with the secret": (secret, _trial, body) => createHmac("sha256", secret).update(body).digest("hex"),
  "a wildcard": () => "*",
  "the name of the secret's variable": (_secret, { route }) => route.variable,
  "the secret's variable after a dollar sign": (_secret, { route }) => `$${route.variable}`,
  "the secret's variable in braces": (_secret, { route }) => `\${${route.variable}}`,
  "the secret's SecretRef as text": (_secret, { route }) => `env:default:${route.variable}`,
  "the route's id": (_secret, { route }) => route.id,
  "the session's key": (_secret, { route }) => route.sessionKey,
  "the secret of a sibling": (_secret, { sibling }) => sibling.secret,
  "the secret of a stranger": (_secret, { stranger }) => stranger.secret,
  "the secret of a disabled route": (_secret, trial) => trial.special("disabled").secret,
  "the secret that an unresolved route would have": (_secret, trial) => trial.special("cold").secret,
};

/** Authorization that holds the secret, and not as `Bearer SECRET`. */
const credentials: Readonly<Record<string, (secret: string) => string>> = {
  "the secret without a scheme": (secret) => secret,
  "a Basic user's name": (secret) => `Basic ${base64(`${secret}:`)}`,
  "a Basic password without a user": (secret) => `Basic ${base64(`:${secret}`)}`,
  "a Basic user's password": (secret) => `Basic ${base64(USER + secret)}`,
  "Basic credentials without a colon": (secret) => `Basic ${base64(secret)}`,
  "Basic credentials in plain text": (secret) => `Basic ${secret}`,
  "a scheme without a blank after it": (secret) => `Bearer${secret}`,
  "a scheme with a colon": (secret) => `Bearer: ${secret}`,
  "a scheme with an equals sign": (secret) => `Bearer=${secret}`,
  "a parameter of Bearer": (secret) => `Bearer token="${secret}"`,
  "a parameter of Digest": (secret) => `Digest username="webhook-ops", response="${secret}"`,
  "the scheme ApiKey": (secret) => `ApiKey ${secret}`,
  "the scheme Secret": (secret) => `Secret ${secret}`,
  "the scheme Token": (secret) => `Token ${secret}`,
  "a scheme that begins with Bearer": (secret) => `BearerToken ${secret}`,
  "a scheme that ends in Bearer": (secret) => `XBearer ${secret}`,
};

type Put = (request: Request, value: string, trial: Trial) => Request;

const RAW = "Authorization as it is";
const twice: Readonly<Record<string, Put>> = {
  "Bearer, twice": (request, value) => withAnotherHeader(withBearer(request, value), "authorization", "Bearer other"),
  "the product header, twice": (request, value, { product }) =>
    withAnotherHeader(withProductHeader(request, product, value), `x-${product}-webhook-secret`, "other"),
};
const headers: Readonly<Record<string, Put>> = {
  Bearer: withBearer,
  "the product header": (request, value, { product }) => withProductHeader(request, product, value),
  [RAW]: (request, value) => withHeader(request, "authorization", value),
  ...twice,
};
const inBoth: Put = (request, value, { product }) =>
  withHeader(withBearer(request, value), `x-${product}-webhook-secret`, value);

const table: Table = {
  factors: { value: namesOf({ ...misses, ...credentials }), header: namesOf(headers) },
  allows: ({ value, header }) =>
    value === undefined ||
    header === undefined ||
    (header in twice ? value === WRONG : (header === RAW) === value in credentials),
};

export function wrongRequest(trial: Trial, { value = "", header = "" }: Row): Request {
  const right = trial.right();
  const make = misses[value] ?? credentials[value];
  return headers[header]?.(right, make?.(trial.route.secret, trial, right.body) ?? "", trial) ?? right;
}

const wrongSecrets = rowCase({
  id: "AUTH-WRONG-SECRETS",
  title: "Anything but the exact secret gets 401, in either header; the right one still works",
  clauses: ["AUTH-REQUIRED", "AUTH-BEARER", "AUTH-PRODUCT-HEADER"],
  requests: 115,
  reading:
    "Only the exact secret lets a request in, also after any number of wrong ones. 400 is right as well for an " +
    "Authorization header that is malformed, a header that is there twice, and bytes beyond ASCII (RFC 9110, 5.5).",
  table,
  client: "one",
  async play(trial, row) {
    const exchange = await trial.send(wrongRequest(trial, row));
    const { status } = exchange.answer ?? {};
    const { value = "", header = "" } = row;
    const mayBeMalformed = header === RAW || header in twice || value in beyondAscii;
    check(status === 401 || (mayBeMalformed && status === 400), "401", describe(exchange), exchange);
  },
  async look(trial) {
    for (const put of [headers["Bearer"], headers["the product header"]]) {
      const exchange = await trial.send(put?.(trial.right(), trial.route.secret, trial) ?? trial.right());
      mustAccept(exchange, "the right secret accepted after all the wrong ones");
    }
    return undefined;
  },
});

/** The routes that share its session, in the order of the configuration. */
const besideIt = ({ id, sessionKey }: ConfiguredRoute, { server }: Trial): ConfiguredRoute[] =>
  [...server.configuration.routes.values()].filter((other) => other.sessionKey === sessionKey && other.id !== id);

/** The route that stands so many places behind it in the configuration. */
function nextTo({ id }: ConfiguredRoute, { server }: Trial, places: number): ConfiguredRoute | undefined {
  const all = [...server.configuration.routes.values()];
  return all[all.findIndex((other) => other.id === id) + places];
}

/** What programs write for a value that is not there. */
const nothings = ["undefined", "null", "(null)", "nil", "None", "false", "[object Object]"];

/** Values that open a route which has no secret, where its code is careless. */
const guesses: Readonly<Record<string, (route: ConfiguredRoute, trial: Trial) => string | undefined>> = {
  "no secret": () => undefined,
  "an empty secret": () => "",
  "the route's own secret": ({ secret }) => secret,
  "the secret of the session's first route": (route, trial) => besideIt(route, trial)[0]?.secret,
  "the secret of the session's last route": (route, trial) => besideIt(route, trial).at(-1)?.secret,
  "the secret of the route before": (route, trial) => nextTo(route, trial, -1)?.secret,
  "the secret of the next route": (route, trial) => nextTo(route, trial, 1)?.secret,
  ...Object.fromEntries(nothings.map((text) => [`the text ${text}`, () => text])),
  "the name of the secret's variable": ({ variable }) => variable,
  "the secret's variable after a dollar sign": ({ variable }) => `$${variable}`,
  "the secret's variable in braces": ({ variable }) => `\${${variable}}`,
  "the secret's SecretRef as text": ({ variable }) => `env:default:${variable}`,
  "the secret's SecretRef as JSON": ({ variable }) =>
    JSON.stringify({ source: "env", provider: "default", id: variable }),
  "the route's id": ({ id }) => id,
  "the session's key": ({ sessionKey }) => sessionKey,
};

const closed = {
  "a route whose variable is missing": "cold",
  "a route whose variable is missing, at a configured path": "coldPath",
  "a route whose file is missing": "coldFile",
  "a route whose command gives nothing": "coldExec",
  "a route whose store has no secret": "coldStore",
  "a disabled route": "disabled",
} as const;

const closedRoutes = rowCase({
  id: "SECRET-COLD-CLOSED",
  title: "A route whose secret is unresolved answers 401 to everybody; a disabled one lets nobody in",
  clauses: ["COLD-ROUTE", "COLD-OTHERS", "CONFIG-ENABLED"],
  uses: ["secret-file", "secret-exec", "secret-store"],
  requests: 20,
  reading: "Each value stands in both headers at once. How a disabled route refuses is left open.",
  table: {
    factors: { route: namesOf(closed), value: namesOf(guesses) },
    // Other sources have no variable.
    allows: ({ route, value = "" }) =>
      route === undefined || /variable|disabled/.test(route) || !/variable|Ref/.test(value),
  },
  async valuesOf(trial) {
    mustTakeTwin(await trial.post(createFlow(), trial.special("explicitlyEnabled")));
    const { routes } = trial.server.configuration;
    // A target may have no source of some kind.
    const there = Object.entries(closed).filter(([, name]) => routes.has(specialRoutes[name].id));
    return { route: there.map(([what]) => what) };
  },
  async play(trial, { route, value }) {
    const at = trial.special(closed[route]);
    const right = trial.right(createFlow(), at);
    const sent = guesses[value]?.(at, trial);
    const exchange = await trial.send(sent === undefined ? withoutSecret(right) : inBoth(right, sent, trial));
    const { status = 0 } = exchange.answer ?? {};
    const isRefused = route === "a disabled route" ? status >= 400 : status === 401;
    check(isRefused, route === "a disabled route" ? "a refusal" : "401", describe(exchange), exchange);
  },
});

export const wrongSecretRows = (): readonly Row[] => rowsOf(table);

/** What an answer says, but for the route's path and name. */
function partsOf(exchange: Exchange): Readonly<Record<string, unknown>> {
  const { status, headers } = exchange.answer ?? {};
  const envelope = envelopeOf(exchange);
  const { code, error, result, routeId } = envelope ?? {};
  const body = envelope === undefined ? { body: exchange.answer && textOf(exchange.answer) } : { code, error, result };
  const parts = { status, ...body, challenge: headers?.get("www-authenticate")?.join() };
  const names = [exchange.request.path, ...(typeof routeId === "string" && routeId !== "" ? [routeId] : [])];
  const unnamed = (text: unknown): unknown =>
    typeof text === "string" ? names.reduce((rest, name) => rest.replaceAll(name, "*"), text) : text;
  return Object.fromEntries(Object.entries(parts).map(([part, value]) => [part, unnamed(value)]));
}

function mustBeAlike(first: Exchange, other: Exchange, spared?: "challenge"): void {
  const [usual, own] = [partsOf(first), partsOf(other)];
  for (const part of new Set([...Object.keys(usual), ...Object.keys(own)])) {
    const isSame = part === spared || isDeepStrictEqual(usual[part], own[part]);
    const expected = `the ${part} of any other authentication failure`;
    check(isSame, expected, `another ${part} (${describe(other)})`, first, other);
  }
}

export const secretRowCases: readonly Case[] = [
  {
    id: "AUTH-SAME-ANSWER",
    title: "An authentication failure does not say what was wrong",
    clauses: ["AUTH-REQUIRED"],
    level: "should",
    requests: 8,
    reading:
      "Status, body and challenge are the same for a wrong, a missing, an empty and a cut secret; but a challenge names no error where no secret came (RFC 6750, 3.1).",
    async run(trial) {
      const right = trial.right();
      mustTakeTwin(await trial.send(right));
      const wrong = mustRefuse(await trial.send(withBearer(right, "wrong")), { status: 401 });
      const missing = [
        withoutSecret(right),
        withHeader(right, "authorization", "Bearer "),
        withHeader(right, "authorization", "Basic d3Jvbmc6d3Jvbmc="),
      ];
      const others = [
        withProductHeader(right, trial.product, "wrong"),
        withBearer(right, third(trial.route.secret)),
        withBearer(right, trial.sibling.secret),
      ];
      await trial.each(missing, async (request) => mustBeAlike(wrong, await trial.send(request), "challenge"));
      await trial.each(others, async (request) => mustBeAlike(wrong, await trial.send(request)));
    },
  },
  {
    id: "SECRET-COLD-GENERIC",
    title: "A route whose secret is unresolved answers 401 exactly as for a wrong secret",
    clauses: ["COLD-ROUTE"],
    requests: 3,
    reading:
      "Generic: code, error, result and challenge are those of any other authentication failure, in either header.",
    async run(trial) {
      const live = trial.right(createFlow(), trial.special("explicitlyEnabled"));
      mustTakeTwin(await trial.send(live));
      const cold = trial.right(createFlow(), trial.special("cold"));
      const wrong = `wrong-${randomUUID()}`;
      const inHeaders = [
        (request: Request) => withBearer(request, wrong),
        (request: Request) => withProductHeader(request, trial.product, wrong),
      ];
      for (const inHeader of inHeaders) {
        const usual = mustRefuse(await trial.send(inHeader(live)), { status: 401 });
        mustBeAlike(usual, mustRefuse(await trial.send(inHeader(cold)), { status: 401 }));
      }
    },
  },
  wrongSecrets,
  closedRoutes,
];
