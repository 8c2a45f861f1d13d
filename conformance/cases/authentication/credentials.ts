/** Section 5: which requests the shared secret lets in, and how the others are refused. */
import { createFlow, smallest } from "../../interface/bodies.ts";
import { actionNames } from "../../interface/fields.ts";
import {
  withAnotherHeader,
  withBearer,
  withHeader,
  withoutSecret,
  withProductHeader,
  type Request,
} from "../../interface/request.ts";
import { describe } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse, mustTakeTwin } from "../../harness/checks.ts";
import type { Trial } from "../../harness/trial.ts";
import { mustBeGuarded } from "../../harness/flows.ts";

type Facts = Omit<Case, "requests" | "run">;

/**
 * Fails unless each request is accepted, named by what lets it in; a wrong secret has to be refused, or that proves
 * nothing. `twinOf`: what a target has to accept before the advice concerns it.
 */
const letIn = (
  facts: Facts,
  requestsOf: (trial: Trial) => Readonly<Record<string, Request>>,
  twinOf = (trial: Trial): Request => trial.right(),
): Case => ({
  ...facts,
  requests: 5,
  async run(trial) {
    if (facts.level === "should") mustTakeTwin(await trial.send(twinOf(trial)));
    for (const [what, request] of Object.entries(requestsOf(trial)))
      mustAccept(await trial.send(request), `${what} accepted`);
    await mustBeGuarded(trial, trial.route);
  },
});

/** Each request gets one of the statuses, and the right one afterwards is served. */
const keptOut = (
  facts: Facts,
  statuses: readonly number[],
  requestsOf: (trial: Trial) => readonly Request[],
): Case => ({
  ...facts,
  requests: 8,
  async run(trial) {
    mustTakeTwin(await trial.send(trial.right()));
    for (const request of requestsOf(trial)) {
      const exchange = await trial.send(request);
      const { status = 0 } = exchange.answer ?? {};
      check(statuses.includes(status), statuses.join(" or "), describe(exchange), exchange);
    }
    mustAccept(await trial.send(trial.right()), "the right request accepted afterwards");
  },
});

const inProductHeader = (trial: Trial, value: string): Request =>
  withProductHeader(trial.right(), trial.product, value);
/** Beside what Authorization holds already. */
const besideBearer = (request: Request, { product }: Trial, value: string): Request =>
  withHeader(request, `x-${product}-webhook-secret`, value);

export const credentialCases: readonly Case[] = [
  letIn({ id: "AUTH-BEARER", title: "The secret as Bearer lets a request in", clauses: ["AUTH-BEARER"] }, (trial) => ({
    "the secret as Bearer": trial.right(),
  })),
  letIn(
    {
      id: "AUTH-BOTH-RIGHT",
      title: "The secret in both headers lets a request in",
      clauses: ["AUTH-BEARER", "AUTH-PRODUCT-HEADER"],
      level: "should",
      reading: "Either header is enough; the interface does not forbid the other.",
    },
    (trial) => ({ "the secret in both headers": besideBearer(trial.right(), trial, trial.route.secret) }),
  ),
  letIn(
    {
      id: "AUTH-PRODUCT-BESIDE-OTHER-SCHEME",
      title: "The secret in the product header lets a request in also beside credentials of another scheme",
      clauses: ["AUTH-PRODUCT-HEADER"],
      level: "should",
      reading:
        "A proxy in between may require its own Authorization. Only a Bearer one holds a secret of this interface; " +
        "the interface does not forbid another.",
    },
    (trial) => {
      const right = inProductHeader(trial, trial.route.secret);
      return {
        "the product header beside Basic": withHeader(right, "authorization", "Basic dXNlcjpwYXNz"),
        "the product header beside Digest": withHeader(right, "authorization", 'Digest username="user"'),
      };
    },
    (trial) => inProductHeader(trial, trial.route.secret),
  ),
  letIn(
    {
      id: "AUTH-SCHEME-CASE",
      title: "The scheme's name is case-insensitive",
      clauses: ["AUTH-BEARER"],
      level: "should",
      reading: "RFC 9110, 11.1: a scheme's name is case-insensitive. The interface shows `Bearer` alone.",
    },
    (trial) => {
      const as = (scheme: string) => withHeader(trial.right(), "authorization", `${scheme} ${trial.route.secret}`);
      return { "the scheme bearer": as("bearer"), "the scheme BEARER": as("BEARER") };
    },
  ),
  keptOut({ id: "AUTH-WRONG", title: "401 for a wrong secret", clauses: ["AUTH-REQUIRED"] }, [401], (trial) => [
    withBearer(trial.right(), "wrong"),
  ]),
  keptOut(
    {
      id: "AUTH-SCHEME-LIST",
      title: "401 for the secret as Bearer behind other credentials",
      clauses: ["AUTH-REQUIRED"],
      level: "should",
      reading:
        "RFC 9110, 11.6.2: Authorization holds the credentials of one scheme. A proxy that merges two header lines makes such a list.",
    },
    [401],
    (trial) => [withHeader(trial.right(), "authorization", `Basic x, Bearer ${trial.route.secret}`)],
  ),
  keptOut(
    {
      id: "AUTH-REPEATED",
      title: "401 for two wrong secrets in one header that is sent twice",
      clauses: ["AUTH-REQUIRED"],
      reading: "400 is as good: HTTP lets a server refuse a header that may be there once and is there twice.",
    },
    [401, 400],
    (trial) => [
      withAnotherHeader(withBearer(trial.right(), "wrong"), "authorization", "Bearer other"),
      withAnotherHeader(inProductHeader(trial, "wrong"), `x-${trial.product}-webhook-secret`, "other"),
    ],
  ),
  keptOut(
    {
      id: "AUTH-NON-ASCII",
      title: "401 for a wrong secret with bytes beyond ASCII, and the next request is served",
      clauses: ["AUTH-REQUIRED"],
      reading:
        "400 is as good: RFC 9110, 5.5 calls such bytes obsolete in a header. A comparison of texts of one length may be one " +
        "of unequal bytes, on which it fails in its own way.",
    },
    [401, 400],
    (trial) => {
      const { secret } = trial.route;
      const wrong = [`${secret.slice(0, -1)}\u00e9`, "\u00e9".repeat(secret.length), "\u00c3\u00a9"];
      return wrong.flatMap((value) => [withBearer(trial.right(), value), inProductHeader(trial, value)]);
    },
  ),
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
    id: "AUTH-BEARER-WINS",
    title: "Of two different secrets in one request the one that the profile names counts",
    clauses: ["AUTH-CODE"],
    gaps: ["auth.bearer-wins"],
    requests: 3,
    async run(trial) {
      const right = trial.right();
      mustTakeTwin(await trial.send(right));
      const rightBearer = besideBearer(right, trial, "wrong");
      const rightHeader = besideBearer(withBearer(right, "wrong"), trial, trial.route.secret);
      const wins = trial.gap("auth.bearer-wins");
      mustAccept(await trial.send(wins ? rightBearer : rightHeader), "the secret that counts is right: accepted");
      mustRefuse(await trial.send(wins ? rightHeader : rightBearer), { status: 401 });
    },
  },
];
