/** Section 5: which requests the shared secret lets in, and how the others are refused. */
import { createFlow, smallest } from "../../interface/bodies.ts";
import { actionNames } from "../../interface/fields.ts";
import {
  withAnotherHeader,
  withBearer,
  withHeader,
  withoutSecret,
  withProductHeader,
} from "../../interface/request.ts";
import { describe, sayingOf, type Exchange } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse, twin } from "../../harness/checks.ts";
import { guarded } from "../../harness/flows.ts";
import { third } from "./secret-rows.ts";

/** Credentials of schemes that are not the interface's. */
const otherCredentials = ["Basic dXNlcjpwYXNz", 'Digest username="user"'];
const schemes = ["bearer", "BEARER"];

/** Fails unless both answers are the same, apart from headers with a date and, if `spared`, the challenge. */
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

/** A header that HTTP does not allow may be refused for that. */
function mustBeUnauthorizedOrBad(exchange: Exchange): void {
  const { status = 0 } = exchange.answer ?? {};
  check(status === 401 || status === 400, "401 or 400", describe(exchange), exchange);
}

export const credentialCases: readonly Case[] = [
  {
    id: "AUTH-BEARER",
    title: "The secret as Bearer lets a request in",
    clauses: ["AUTH-BEARER"],
    requests: 2,
    async run(trial) {
      mustAccept(await trial.post(createFlow()));
      await guarded(trial, trial.route);
    },
  },
  {
    id: "AUTH-WRONG",
    title: "401 for a wrong secret",
    clauses: ["AUTH-REQUIRED"],
    requests: 2,
    async run(trial) {
      twin(await trial.send(trial.right()));
      mustRefuse(await trial.send(withBearer(trial.right(), "wrong")), { status: 401 });
    },
  },
  {
    id: "AUTH-PRODUCT-HEADER",
    title: "The secret in x-<product>-webhook-secret lets a request in, without Authorization",
    clauses: ["AUTH-PRODUCT-HEADER"],
    requests: 3,
    async run(trial) {
      const request = withProductHeader(trial.right(), trial.product, trial.route.secret);
      mustAccept(await trial.send(request));
      const [, value = ""] = request.headers.at(-1) ?? [];
      const shouting = withHeader(withoutSecret(request), `X-${trial.product.toUpperCase()}-Webhook-Secret`, value);
      mustAccept(await trial.send(shouting), "the header's name in capital letters accepted");
      await guarded(trial, trial.route);
    },
  },
  {
    id: "AUTH-BOTH-RIGHT",
    title: "The secret in both headers lets a request in",
    clauses: ["AUTH-BEARER", "AUTH-PRODUCT-HEADER"],
    level: "should",
    requests: 3,
    reading: "Either header is enough; the interface does not forbid the other.",
    async run(trial) {
      const right = trial.right();
      twin(await trial.send(right));
      mustAccept(await trial.send(withHeader(right, `x-${trial.product}-webhook-secret`, trial.route.secret)));
      await guarded(trial, trial.route);
    },
  },
  {
    id: "AUTH-PRODUCT-BESIDE-OTHER-SCHEME",
    title: "The secret in the product header lets a request in also beside credentials of another scheme",
    clauses: ["AUTH-PRODUCT-HEADER"],
    level: "should",
    requests: 5,
    reading:
      "A proxy in between may require its own Authorization. Only a Bearer one holds a secret of this interface; " +
      "the interface does not forbid another.",
    async run(trial) {
      const right = withProductHeader(trial.right(), trial.product, trial.route.secret);
      twin(await trial.send(right));
      for (const credentials of otherCredentials) {
        mustAccept(await trial.send(withHeader(right, "authorization", credentials)));
      }
      await guarded(trial, trial.route);
    },
  },
  {
    id: "AUTH-ALL-CHARACTERS",
    title:
      "A secret with every kind of character that Bearer credentials may have lets a request in, and no other form of it",
    clauses: ["SECRET-PLAIN", "AUTH-BEARER", "AUTH-PRODUCT-HEADER", "AUTH-REQUIRED"],
    requests: 14,
    reading:
      "RFC 6750, 2.1: letters, digits and -._~+/ with = at the end, so every secret in base64. What decodes to the same " +
      "bytes is another secret.",
    async run(trial) {
      const route = trial.special("allCharacters");
      const right = trial.right(createFlow(), route);
      mustAccept(await trial.send(right), "the secret as Bearer accepted");
      mustAccept(
        await trial.send(withProductHeader(right, trial.product, route.secret)),
        "the secret in the product header accepted",
      );
      const { secret } = route;
      const others = {
        "the secret in base64 for URLs": secret.replaceAll("+", "-").replaceAll("/", "_"),
        "the secret without its =": secret.replace(/=+$/, ""),
        "the secret with an = more": `${secret}=`,
        "the secret with its characters in another order": secret.split("").toReversed().join(""),
      };
      for (const [what, other] of Object.entries(others))
        for (const wrong of [withBearer(right, other), withProductHeader(right, trial.product, other)]) {
          const exchange = await trial.send(wrong);
          check(exchange.answer?.status === 401, `401 for ${what}`, describe(exchange), exchange);
        }
    },
  },
  {
    id: "AUTH-EVERY-ACTION",
    title: "401 without the secret, whatever the action",
    clauses: ["AUTH-REQUIRED"],
    requests: 16,
    reading: "Also for actions that only read: the secret is asked for before the body is looked at.",
    async run(trial) {
      const flow = await trial.flow();
      for (const action of actionNames) {
        const request = withoutSecret(trial.right(smallest(action, flow, trial.profile.fields)));
        const exchange = await trial.send(request);
        check(exchange.answer?.status === 401, `401 for ${action}`, describe(exchange), exchange);
      }
    },
  },
  {
    id: "AUTH-SCHEME-CASE",
    title: "The scheme's name is case-insensitive",
    clauses: ["AUTH-BEARER"],
    level: "should",
    requests: 4,
    reading: "RFC 9110, 11.1: a scheme's name is case-insensitive. The interface shows `Bearer` alone.",
    async run(trial) {
      const right = trial.right();
      twin(await trial.send(right));
      for (const scheme of schemes) {
        mustAccept(await trial.send(withHeader(right, "authorization", `${scheme} ${trial.route.secret}`)));
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
      const right = trial.right();
      twin(await trial.send(right));
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
      for (const request of missing) mustBeAlike(wrong, await trial.send(request), "challenge");
      for (const request of others) mustBeAlike(wrong, await trial.send(request));
    },
  },
  {
    id: "AUTH-CODE",
    title: "An authentication failure has the profile's code",
    clauses: ["AUTH-CODE"],
    gaps: ["auth.code"],
    requests: 2,
    async run(trial) {
      const right = trial.right();
      twin(await trial.send(right));
      mustRefuse(await trial.send(withoutSecret(right)), { status: 401, code: trial.gap("auth.code") });
    },
  },
  {
    id: "AUTH-CHALLENGE",
    title: "A 401 has the profile's challenge",
    clauses: ["AUTH-CODE"],
    gaps: ["auth.challenge"],
    requests: 2,
    async run(trial) {
      const right = trial.right();
      twin(await trial.send(right));
      const exchange = mustRefuse(await trial.send(withoutSecret(right)), { status: 401 });
      const expected = trial.gap("auth.challenge");
      const value = exchange.answer?.headers.get("www-authenticate")?.join(", ");
      const actual = value === undefined ? "no WWW-Authenticate" : "another WWW-Authenticate";
      check(value === expected, `WWW-Authenticate: ${expected}`, actual, exchange);
    },
  },
  {
    id: "AUTH-BEARER-WINS",
    title: "Of two different secrets in one request the one that the profile names counts",
    clauses: ["AUTH-CODE"],
    gaps: ["auth.bearer-wins"],
    requests: 3,
    async run(trial) {
      const right = trial.right();
      const header = `x-${trial.product}-webhook-secret`;
      twin(await trial.send(right));
      const rightBearer = withHeader(right, header, "wrong");
      const rightHeader = withHeader(withBearer(right, "wrong"), header, trial.route.secret);
      const wins = trial.gap("auth.bearer-wins");
      mustAccept(await trial.send(wins ? rightBearer : rightHeader), "the secret that counts is right: accepted");
      mustRefuse(await trial.send(wins ? rightHeader : rightBearer), { status: 401 });
    },
  },
  {
    id: "AUTH-SCHEME-LIST",
    title: "401 for the secret as Bearer behind other credentials",
    clauses: ["AUTH-REQUIRED"],
    level: "should",
    requests: 2,
    reading:
      "RFC 9110, 11.6.2: Authorization holds the credentials of one scheme. A proxy that merges two header lines makes such a list.",
    async run(trial) {
      const right = trial.right();
      twin(await trial.send(right));
      const list = withHeader(right, "authorization", `Basic x, Bearer ${trial.route.secret}`);
      mustRefuse(await trial.send(list), { status: 401 });
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
];
