/** Section 5: which requests the shared secret lets in, and what becomes of the others. */
import { randomUUID } from "node:crypto";
import { createFlow } from "../../../fixtures/bodies.ts";
import {
  validRequest,
  withBody,
  withHeader,
  withoutHeader,
  withPath,
  withProductHeader,
  type Request,
} from "../../../fixtures/request.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse, twin } from "../../harness/checks.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import { describe, isAccepted, sayingOf, type Exchange } from "../../http/exchange.ts";
import type { Trial } from "../../harness/trial.ts";
import { guarded } from "../../harness/flows.ts";

/** A request that lacks the secret in one way. */
export interface Defect {
  readonly id: string;
  readonly title: string;
  /** `must` where nothing else is said. */
  readonly level?: "must" | "should";
  readonly reading?: string;
  /** What is sent in place of the right request. */
  spoil(right: Request, trial: Trial): Request;
}

const authorization = (request: Request, value: string) => withHeader(request, "authorization", value);
const bearer = (request: Request, secret: string) => authorization(request, `Bearer ${secret}`);
const bare = (request: Request) => withoutHeader(request, "authorization");
const product = (request: Request, trial: Trial, secret: string) => withProductHeader(request, trial.product, secret);
/** A third of a secret: enough for a comparison that stops early, too little to guess the rest from two of them. */
const third = (secret: string) => secret.slice(0, Math.floor(secret.length / 3));
/** Another secret of the same length. */
const wrongFor = (secret: string) => `wrong-${randomUUID()}`.padEnd(secret.length, "0").slice(0, secret.length);
/** Of three times n bytes with the colon, so that reports find the secret in its base64 form. */
const USER = "webhook-ops";

export const defects: readonly Defect[] = [
  { id: "WRONG", title: "a wrong secret", spoil: (right, { route }) => bearer(right, wrongFor(route.secret)) },
  {
    id: "PRODUCT-WRONG",
    title: "a wrong secret in the product header",
    spoil: (right, trial) => product(right, trial, wrongFor(trial.route.secret)),
  },
  { id: "MISSING", title: "no secret at all", spoil: bare },
  { id: "EMPTY-BEARER", title: "an empty Bearer secret", spoil: (right) => authorization(right, "Bearer ") },
  { id: "EMPTY-PRODUCT", title: "an empty product header", spoil: (right, trial) => product(right, trial, "") },
  { id: "BLANK-PRODUCT", title: "a blank product header", spoil: (right, trial) => product(right, trial, "   ") },
  { id: "PREFIX", title: "the secret's first third", spoil: (right, { route }) => bearer(right, third(route.secret)) },
  {
    id: "PREFIX-PADDED",
    title: "the secret's first third, filled up to its length",
    spoil: (right, { route }) => bearer(right, third(route.secret).padEnd(route.secret.length, "x")),
  },
  {
    id: "LAST-CHARACTER",
    title: "the secret with another last character",
    spoil: (right, { route }) => bearer(right, route.secret.slice(0, -1) + (route.secret.endsWith("0") ? "1" : "0")),
  },
  {
    id: "SUFFIX",
    title: "the secret's last third",
    spoil: (right, { route }) => bearer(right, route.secret.slice(-third(route.secret).length)),
  },
  {
    id: "LONGER",
    title: "the secret with more behind it",
    spoil: (right, { route }) => bearer(right, `${route.secret}x`),
  },
  {
    id: "PREFIXED",
    title: "the secret with more before it",
    spoil: (right, { route }) => bearer(right, `x${route.secret}`),
  },
  {
    id: "OTHER-CASE",
    title: "the secret in capital letters",
    spoil: (right, { route }) => bearer(right, route.secret.toUpperCase()),
  },
  {
    id: "STRANGER-SECRET",
    title: "the secret of a route of another session",
    spoil: (right, { stranger }) => bearer(right, stranger.secret),
  },
  {
    id: "SIBLING-SECRET",
    title: "the secret of another route of the same session",
    spoil: (right, { sibling }) => bearer(right, sibling.secret),
  },
  { id: "ROUTE-ID", title: "the route's own id", spoil: (right, { route }) => bearer(right, route.id) },
  {
    id: "NO-SCHEME",
    title: "the secret in Authorization without a scheme",
    spoil: (right, { route }) => authorization(right, route.secret),
  },
  {
    id: "OTHER-SCHEME",
    title: "the secret behind another scheme",
    spoil: (right, { route }) => authorization(right, `Token ${route.secret}`),
  },
  {
    id: "BASIC",
    title: "the secret as a Basic password",
    spoil: (right, { route }) =>
      authorization(right, `Basic ${Buffer.from(`${USER}:${route.secret}`).toString("base64")}`),
  },
  {
    id: "OTHER-PRODUCT",
    title: "the secret in another product's header",
    spoil: (right, trial) => withProductHeader(right, `${trial.product}-other`, trial.route.secret),
  },
  {
    id: "NO-PRODUCT",
    title: "the secret in x-webhook-secret",
    spoil: (right, { route }) => withHeader(bare(right), "x-webhook-secret", route.secret),
  },
  {
    id: "COOKIE",
    title: "the secret in a cookie",
    spoil: (right, { route }) => withHeader(bare(right), "cookie", `secret=${route.secret}; token=${route.secret}`),
  },
  {
    id: "IN-BODY",
    title: "the secret in the body",
    spoil: (right, { route }) => {
      const body = { ...createFlow(), secret: route.secret, token: route.secret, authorization: route.secret };
      return withBody(bare(right), JSON.stringify(body));
    },
  },
];

/** The case that such a request gets 401. */
export function refusalOf({ id, title, level = "must", reading, spoil }: Defect): Case {
  return {
    id: `AUTH-${id}`,
    title: `401 for ${title}`,
    clauses: ["AUTH-REQUIRED"],
    level,
    requests: 2,
    ...(reading !== undefined && { reading }),
    async run(trial) {
      const right = validRequest(trial.route, createFlow());
      twin(await trial.send(right));
      mustRefuse(await trial.send(spoil(right, trial)), { status: 401 });
    },
  };
}

const schemes = ["bearer", "BEARER"];

/** Fails unless both answers are the same but for what HTTP itself dates, and for the challenge where that is spared. */
function mustBeAlike(first: Exchange, other: Exchange, spared?: "challenge"): void {
  const [a, b] = [first.answer, other.answer];
  check(a !== undefined && b !== undefined, "an answer", describe(a === undefined ? first : other), first, other);
  if (a === undefined || b === undefined) return;
  check(a.status === b.status, `the status of any other wrong secret (${a.status})`, `${b.status}`, first, other);
  check(sayingOf(first) === sayingOf(other), "the same body", "another body", first, other);
  if (spared === "challenge") return;
  const challenges = [a, b].map(({ headers }) => headers.get("www-authenticate")?.join());
  check(challenges[0] === challenges[1], "the same challenge", "another challenge", first, other);
}

export const authenticationCases: readonly Case[] = [
  {
    id: "AUTH-BEARER",
    title: "The secret as Bearer lets a request in",
    clauses: ["AUTH-BEARER"],
    level: "must",
    requests: 2,
    async run(trial) {
      mustAccept(await trial.post(createFlow()));
      await guarded(trial, trial.route);
    },
  },
  {
    id: "AUTH-PRODUCT-HEADER",
    title: "The secret in x-<product>-webhook-secret lets a request in, without Authorization",
    clauses: ["AUTH-PRODUCT-HEADER"],
    level: "must",
    requests: 3,
    async run(trial) {
      const request = product(validRequest(trial.route, createFlow()), trial, trial.route.secret);
      mustAccept(await trial.send(request));
      const [, value = ""] = request.headers.at(-1) ?? [];
      const shouting = withHeader(bare(request), `X-${trial.product.toUpperCase()}-Webhook-Secret`, value);
      mustAccept(await trial.send(shouting), "the header's name in capital letters accepted");
      await guarded(trial, trial.route);
    },
  },
  ...defects.map(refusalOf),
  {
    id: "AUTH-QUERY",
    title: "401 for the secret in the URL",
    clauses: ["AUTH-REQUIRED"],
    level: "must",
    requests: 2,
    reading: "Bears on targets that serve a route's path also with a query; one that does not lets nobody in that way.",
    async run(trial) {
      const { path, secret } = trial.route;
      const right = validRequest(trial.route, createFlow());
      const spoiled = withPath(right, `${path}?secret=${secret}&token=${secret}&access_token=${secret}`);
      if (!isAccepted(await trial.send(withPath(right, `${path}?conformance=1`)))) {
        check(!isAccepted(await trial.send(bare(spoiled))), "a refusal", "accepted");
        throw new NotApplicable("the target does not serve a route's path with a query");
      }
      mustRefuse(await trial.send(bare(spoiled)), { status: 401 });
    },
  },
  {
    id: "AUTH-SCHEME-CASE",
    title: "The scheme's name is taken in any case",
    clauses: ["AUTH-BEARER"],
    level: "should",
    requests: 4,
    reading: "RFC 9110, 11.1: a scheme's name is case-insensitive. The interface shows `Bearer` alone.",
    async run(trial) {
      const right = validRequest(trial.route, createFlow());
      twin(await trial.send(right));
      for (const scheme of schemes) {
        mustAccept(await trial.send(authorization(right, `${scheme} ${trial.route.secret}`)));
      }
      await guarded(trial, trial.route);
    },
  },
  {
    id: "AUTH-SAME-ANSWER",
    title: "An authentication failure does not say what was wrong",
    clauses: ["AUTH-REQUIRED"],
    level: "should",
    requests: 8,
    reading:
      "Status, body and challenge are the same for a wrong, a missing, an empty and a cut secret; but a challenge names no error where no secret came (RFC 6750, 3.1).",
    async run(trial) {
      const right = validRequest(trial.route, createFlow());
      twin(await trial.send(right));
      const wrong = mustRefuse(await trial.send(bearer(right, "wrong")), { status: 401 });
      const missing = [bare(right), authorization(right, "Bearer "), authorization(right, "Basic d3Jvbmc6d3Jvbmc=")];
      const others = [
        product(right, trial, "wrong"),
        bearer(right, third(trial.route.secret)),
        bearer(right, trial.sibling.secret),
      ];
      for (const request of missing) mustBeAlike(wrong, await trial.send(request), "challenge");
      for (const request of others) mustBeAlike(wrong, await trial.send(request));
    },
  },
  {
    id: "AUTH-CODE",
    title: "An authentication failure has the profile's code",
    clauses: ["AUTH-CODE"],
    level: "gap",
    gaps: ["auth.code"],
    requests: 2,
    async run(trial) {
      const right = validRequest(trial.route, createFlow());
      twin(await trial.send(right));
      mustRefuse(await trial.send(bare(right)), { status: 401, code: trial.gap("auth.code") });
    },
  },
  {
    id: "AUTH-CHALLENGE",
    title: "A 401 has the profile's challenge",
    clauses: ["AUTH-CODE"],
    level: "gap",
    gaps: ["auth.challenge"],
    requests: 2,
    async run(trial) {
      const right = validRequest(trial.route, createFlow());
      twin(await trial.send(right));
      const exchange = mustRefuse(await trial.send(bare(right)), { status: 401 });
      const expected = trial.gap("auth.challenge");
      const value = exchange.answer?.headers.get("www-authenticate")?.join(", ");
      const actual = value === undefined ? "no WWW-Authenticate" : "another WWW-Authenticate";
      check(value === expected, `WWW-Authenticate: ${expected}`, actual, exchange);
    },
  },
  {
    id: "AUTH-BEARER-WINS",
    title: "Of two secrets that disagree the profile's one counts",
    clauses: ["AUTH-CODE"],
    level: "gap",
    gaps: ["auth.bearer-wins"],
    requests: 3,
    async run(trial) {
      const right = validRequest(trial.route, createFlow());
      const header = `x-${trial.product}-webhook-secret`;
      twin(await trial.send(right));
      const rightBearer = withHeader(right, header, "wrong");
      const rightHeader = withHeader(bearer(right, "wrong"), header, trial.route.secret);
      const wins = trial.gap("auth.bearer-wins");
      mustAccept(await trial.send(wins ? rightBearer : rightHeader), "the secret that counts is right: accepted");
      mustRefuse(await trial.send(wins ? rightHeader : rightBearer), { status: 401 });
    },
  },
];
