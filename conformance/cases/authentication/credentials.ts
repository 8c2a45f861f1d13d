/** Section 5: which requests the shared secret lets in, and how the others are refused. */
import { createFlow, smallest } from "../../interface/bodies.ts";
import { actionNames } from "../../interface/fields.ts";
import { withBearer, withHeader, withoutSecret, withProductHeader, type Request } from "../../interface/request.ts";
import { describe } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustTakeTwin } from "../../harness/checks.ts";
import { mustBeGuarded } from "../../harness/flows.ts";
import type { Trial } from "../../harness/trial.ts";

/** Requests, named by what is in them. */
type Requests = Readonly<Record<string, Request>>;

interface Credentials extends Omit<Case, "run" | "requests"> {
  /** To be accepted; a wrong secret has to be refused, or that proves nothing. */
  readonly letIn?: (trial: Trial) => Requests;
  /** To be refused with 401; the right request afterwards is served. */
  readonly keptOut?: (trial: Trial) => Requests | Promise<Requests>;
  /** What a target has to accept before the advice concerns it. */
  readonly twin?: (trial: Trial) => Request;
}

const inProductHeader = (trial: Trial, value: string): Request =>
  withProductHeader(trial.right(), trial.product, value);

const table: readonly Credentials[] = [
  {
    id: "AUTH-BEARER",
    title: "The secret as Bearer token is accepted",
    clauses: ["AUTH-BEARER"],
    letIn: (trial) => ({ "the secret as Bearer": trial.right() }),
  },
  {
    id: "AUTH-PRODUCT-BESIDE-OTHER-SCHEME",
    title: "The product header is accepted beside an Authorization header of another scheme",
    clauses: ["AUTH-PRODUCT-HEADER"],
    reading:
      "A request carries the secret in either header (section 5), and credentials of another scheme are no secret of this " +
      "interface. A proxy in between may require its own Authorization.",
    twin: (trial) => inProductHeader(trial, trial.route.secret),
    letIn(trial) {
      const right = inProductHeader(trial, trial.route.secret);
      return {
        "the product header beside Basic": withHeader(right, "authorization", "Basic dXNlcjpwYXNz"),
        "the product header beside Digest": withHeader(right, "authorization", 'Digest username="user"'),
      };
    },
  },
  {
    id: "AUTH-SCHEME-CASE",
    title: "The name of the Bearer scheme is case-insensitive",
    clauses: ["AUTH-BEARER"],
    level: "should",
    reading: "RFC 9110, 11.1: a scheme's name is case-insensitive. The interface shows `Bearer` alone.",
    letIn(trial) {
      const as = (scheme: string) => withHeader(trial.right(), "authorization", `${scheme} ${trial.route.secret}`);
      return { "the scheme bearer": as("bearer"), "the scheme BEARER": as("BEARER") };
    },
  },
  {
    id: "AUTH-WRONG",
    title: "A wrong secret gets 401",
    clauses: ["AUTH-REQUIRED"],
    keptOut: (trial) => ({ "a wrong secret": withBearer(trial.right(), "wrong") }),
  },
  {
    id: "AUTH-ALL-CHARACTERS",
    title: "A secret with every character that a Bearer token may have is accepted, in no other form",
    clauses: ["SECRET-PLAIN", "AUTH-BEARER", "AUTH-PRODUCT-HEADER", "AUTH-REQUIRED"],
    reading:
      "RFC 6750, 2.1: letters, digits and -._~+/ with = at the end, so every secret in base64. What decodes to the same " +
      "bytes is another secret.",
    letIn(trial) {
      const route = trial.special("allCharacters");
      return inEachHeader(trial, trial.right(createFlow(), route), { "the secret": route.secret });
    },
    keptOut(trial) {
      const route = trial.special("allCharacters");
      const { secret } = route;
      return inEachHeader(trial, trial.right(createFlow(), route), {
        "the secret in base64 for URLs": secret.replaceAll("+", "-").replaceAll("/", "_"),
        "the secret without its =": secret.replace(/=+$/, ""),
        "the secret with one = more": `${secret}=`,
        "the secret with its characters in another order": secret.split("").toReversed().join(""),
      });
    },
  },
  {
    id: "AUTH-EVERY-ACTION",
    title: "Every action gets 401 without the secret",
    clauses: ["AUTH-REQUIRED"],
    reading: "Also for actions that only read: the secret is asked for before the body is looked at.",
    async keptOut(trial) {
      const flow = await trial.flow();
      const bare = actionNames.map((action) =>
        withoutSecret(trial.right(smallest(action, flow, trial.profile.fields))),
      );
      return Object.fromEntries(bare.map((request, index) => [`${actionNames[index]}`, request]));
    },
  },
  {
    id: "AUTH-BEARER-WINS",
    title: "Of two different secrets in one request the one that the profile names counts",
    clauses: ["AUTH-CODE"],
    gaps: ["auth.bearer-wins"],
    letIn: (trial) => ({ "the right secret where it counts": disagreeing(trial, trial.gap("auth.bearer-wins")) }),
    keptOut: (trial) => ({ "a wrong secret where it counts": disagreeing(trial, !trial.gap("auth.bearer-wins")) }),
  },
];

/** The right secret in one of the two headers, and a wrong one in the other. */
function disagreeing(trial: Trial, isBearerRight: boolean): Request {
  const { secret } = trial.route;
  const [bearer, other] = isBearerRight ? [secret, "wrong"] : ["wrong", secret];
  return withHeader(withBearer(trial.right(), bearer), `x-${trial.product}-webhook-secret`, other);
}

const inEachHeader = (trial: Trial, right: Request, values: Readonly<Record<string, string>>): Requests =>
  Object.fromEntries(
    Object.entries(values).flatMap(([what, value]) => [
      [`${what} as Bearer`, withBearer(right, value)],
      [`${what} in the product header`, withProductHeader(right, trial.product, value)],
    ]),
  );

export const credentialCases: readonly Case[] = table.map(
  ({ letIn, keptOut, twin = (trial) => trial.right(), ...about }) => ({
    ...about,
    requests: 17,
    async run(trial) {
      if (about.level === "should" || keptOut !== undefined) mustTakeTwin(await trial.send(twin(trial)));
      await trial.each(Object.entries(letIn?.(trial) ?? {}), async ([what, request]) =>
        mustAccept(await trial.send(request), `${what} accepted`),
      );
      if (keptOut === undefined) return mustBeGuarded(trial, trial.route);
      await trial.each(Object.entries(await keptOut(trial)), async ([what, request]) => {
        const exchange = await trial.send(request);
        check(exchange.answer?.status === 401, `401 for ${what}`, describe(exchange), exchange);
      });
      mustAccept(await trial.send(trial.right()), "the right request accepted afterwards");
    },
  }),
);
