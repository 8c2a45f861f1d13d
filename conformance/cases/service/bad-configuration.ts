/** Section 1: bad configurations. A target may refuse one as a whole, or leave just the bad routes out. */
import { createFlow } from "../../interface/bodies.ts";
import { spoilt } from "../../interface/broken-requests.ts";
import { withBearer, withoutSecret, withPath, withProductHeader, type Request } from "../../interface/request.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import { pathOf, type StandardRoute } from "../../targets/standard-routes.ts";
import {
  alikePaths,
  clashes,
  disabledTwins,
  emptySecrets,
  openedBy,
  openFields,
  pairedDisabled,
  severalBad,
  variants,
  wrongTypes,
  type VariantName,
} from "../../targets/variants.ts";
import type { Case } from "../../harness/case.ts";
import { mustFit } from "../../harness/open-values.ts";
import { check, mustAccept, mustNotAccept } from "../../harness/checks.ts";
import { cheap, exhausted, fillInFlight } from "../../harness/limit-keys.ts";
import { probeServed } from "../../harness/served.ts";
import type { Trial } from "../../harness/trial.ts";

const refusedAsAWhole =
  "A target may refuse the configuration by ending before it is ready, or leave just the bad route out.";

/** A value in place of the secret, in each header that counts. */
const inEither = ({ product }: Trial, right: Request, value: string): Request[] => [
  withBearer(right, value),
  withProductHeader(right, product, value),
];

/** Every way to send what could pass for the secret of a route that has none. */
function guesses(trial: Trial, route: ConfiguredRoute): Request[] {
  const right = trial.right(createFlow(), route);
  const values = ["", " ", "undefined", "null", "[object Object]"];
  return [right, withoutSecret(right), ...values.flatMap((value) => inEither(trial, right, value))];
}

/** What is sent to a bad route, which is not to accept it. */
interface Attempt {
  readonly what: string;
  readonly requests: readonly Request[];
}

/** Without a reading and a number of requests: those of a route at which secrets are guessed. */
interface Bad extends Pick<Case, "id" | "title" | "clauses" | "reading">, Partial<Pick<Case, "requests">> {
  readonly variant: VariantName;
  attempts(trial: Trial): readonly Attempt[];
}

const guessedAt =
  (...routes: readonly StandardRoute[]) =>
  (trial: Trial): Attempt[] =>
    routes.map(({ id }) => ({ what: `route ${id}`, requests: guesses(trial, trial.routeOf(id)) }));

const noneIsAccepted = `${refusedAsAWhole} Whatever it does, the bad route accepts no secret, none and no empty one.`;

const lettingNobodyIn: readonly Bad[] = [
  {
    id: "CONFIG-NO-SESSION-KEY",
    title: "A route without sessionKey accepts no request",
    clauses: ["CONFIG-SESSION-KEY"],
    variant: "noSessionKey",
    attempts: guessedAt(severalBad.noSessionKey),
  },
  {
    id: "CONFIG-NO-SECRET",
    title: "A route without secret accepts no request",
    clauses: ["CONFIG-SECRET"],
    variant: "noSecret",
    attempts: guessedAt(severalBad.noSecret),
  },
  {
    id: "CONFIG-EMPTY-SECRET",
    title: "A route whose secret is empty or blank accepts no request",
    clauses: ["CONFIG-SECRET", "AUTH-REQUIRED"],
    variant: "emptySecret",
    attempts: guessedAt(emptySecrets.empty, emptySecrets.blank),
  },
  {
    id: "CONFIG-EMPTY-VARIABLE",
    title: "A route whose secret's environment variable is empty accepts no request",
    clauses: ["CONFIG-SECRET", "AUTH-REQUIRED", "COLD-ROUTE"],
    variant: "emptyVariable",
    attempts: guessedAt(emptySecrets.variable),
  },
  {
    id: "CONFIG-SEVERAL-BAD",
    title: "Several invalid routes in one configuration accept no request",
    clauses: ["CONFIG-SESSION-KEY", "CONFIG-SECRET"],
    variant: "severalBad",
    reading: `${refusedAsAWhole} The first fault is not the last one.`,
    attempts: guessedAt(severalBad.noSessionKey, severalBad.noSecret),
  },
  {
    id: "CONFIG-WRONG-TYPES",
    title: "A route whose secret, SecretRef or sessionKey has a wrong type accepts no request",
    clauses: ["CONFIG-SESSION-KEY", "CONFIG-SECRET", "SECRETREF-FIELDS"],
    variant: "wrongTypes",
    requests: 6,
    reading: `${refusedAsAWhole} No secret is made of a number, a list or the parts of a SecretRef.`,
    attempts: (trial) =>
      Object.entries(wrongTypes).map(([id, { entry, guesses: values }]) => {
        const right = trial.right(createFlow(), trial.routeOf(id));
        const [field = ""] = Object.keys(entry);
        const what = `a route with the ${field} ${JSON.stringify(entry[field])}`;
        return { what, requests: [right, ...values.flatMap((value) => inEither(trial, right, value))] };
      }),
  },
  {
    id: "CONFIG-UNKNOWN-FIELDS",
    title: "Unknown fields of a route entry do not open the route",
    clauses: ["AUTH-REQUIRED", "CONFIG-SECRET"],
    variant: "severalBad",
    requests: 6,
    reading: "Entries say `auth: none` and the like beside their secrets. A target may leave such routes out.",
    attempts: (trial) =>
      Object.entries(openFields).map(([field, value]) => {
        const right = trial.right(createFlow(), trial.routeOf(openedBy(field)));
        return { what: `a route with \`${field}: ${value}\``, requests: [withoutSecret(right), spoilt(right, "AUTH")] };
      }),
  },
  {
    id: "CONFIG-DISABLED-PATH",
    title: "A disabled route is served neither at its path nor at its default path",
    clauses: ["CONFIG-ENABLED"],
    variant: "pairedFields",
    requests: 3,
    reading: "How a disabled route refuses is left open.",
    attempts(trial) {
      const route = trial.routeOf(pairedDisabled.id);
      const paths = [route.path, pathOf({ id: route.id, session: "", secret: "env" })];
      return paths.map((path) => ({ what: path, requests: [withPath(trial.right(createFlow(), route), path)] }));
    },
  },
  {
    id: "CONFIG-DISABLED-TWIN",
    title: "Of two routes with one path the disabled one's secret is not accepted",
    clauses: ["CONFIG-ENABLED", "CONFIG-PATH-UNIQUE"],
    variant: "oddRoutes",
    requests: 8,
    reading:
      "Whether a disabled route's path is taken is open: a target may leave both out, or refuse the configuration.",
    attempts: (trial) =>
      disabledTwins
        .filter(({ enabled = true }: StandardRoute) => !enabled)
        .map(({ id }) => ({ what: `route ${id}`, requests: [trial.right(createFlow(), trial.routeOf(id))] })),
  },
];

const badCases: readonly Case[] = lettingNobodyIn.map(({ attempts, ...one }) => ({
  requests: 24,
  reading: noneIsAccepted,
  ...one,
  async run(trial) {
    await probeServed(trial);
    for (const { what, requests } of attempts(trial))
      for (const request of requests) mustNotAccept(await trial.send(request), `a refusal at ${what}`);
    // What was sent has not brought the gateway to grief.
    await probeServed(trial);
  },
}));

interface Shared extends Pick<Case, "id" | "title" | "reading" | "requests" | "gaps" | "meetsLimits"> {
  readonly variant: VariantName;
  readonly routes: readonly StandardRoute[];
  readonly paths: readonly string[];
}

/** Routes whose paths are one, or may be taken for one. */
const sharedPaths: readonly Shared[] = [
  {
    id: "CONFIG-PATH-DUPLICATE",
    title: "Of two routes with one path at most one is served there",
    variant: "duplicatePath",
    requests: 4,
    reading: `${refusedAsAWhole} Which of the two routes is the bad one is left open; both may be left out.`,
    routes: Object.values(clashes).flat(),
    paths: Object.values(clashes).map(([, { path }]) => path),
  },
  {
    id: "CONFIG-PATH-SPELLED",
    title: "Paths that differ in letter case: one secret is accepted at each, and each has its limits",
    variant: "alikePaths",
    requests: 200,
    meetsLimits: true,
    reading:
      "A target may serve them as two, as they are written, or refuse them. Where it serves both the limits count them apart: " +
      "their keys are path and client (section 8).",
    routes: alikePaths,
    paths: alikePaths.flatMap(({ path }) => [path, `${path}/`]),
  },
  ...(["duplicatePath", "duplicateDefaultPath"] as const).map((variant): Shared => ({
    id: variant === "duplicatePath" ? "CONFIG-PATH-CLASH" : "CONFIG-PATH-CLASH-DEFAULT",
    title: `The gateway refuses ${variants[variant].title}, or serves neither`,
    gaps: ["config.duplicate-refused"],
    variant,
    requests: 2,
    reading:
      "The interface says that paths must be unique, not what a clash leads to. The worst is that one silently replaces the other.",
    routes: clashes[variant],
    paths: [clashes[variant][1].path],
  })),
];

/** Fails unless each of these routes takes a request of a client who has reached a limit at the first of them. */
async function mustCountApart(trial: Trial, served: readonly StandardRoute[]): Promise<void> {
  const [first, ...others] = served.map(({ id }) => trial.routeOf(id));
  if (first === undefined || !trial.toldApart) return;
  const mustTakeOthers = async (from: string, limit: string) => {
    for (const route of others) {
      const exchange = await trial.send(cheap(trial, { route, from }), from);
      mustAccept(exchange, `a request to ${route.path} accepted beside ${limit} ${first.path}`);
    }
  };
  const [filling, spending] = [trial.freshAddress(), trial.freshAddress()];
  const { held } = await fillInFlight(trial, { route: first, from: filling });
  await mustTakeOthers(filling, "eight in flight to");
  await held.finish();
  await exhausted(trial, { route: first, from: spending });
  await mustTakeOthers(spending, "the used-up budget of");
}

const sharedPathCases: readonly Case[] = sharedPaths.map(({ routes, paths, ...one }) => ({
  ...one,
  clauses: ["CONFIG-PATH-UNIQUE", ...(one.meetsLimits ? (["RATE-KEY-PATH", "IN-FLIGHT-KEY-PATH"] as const) : [])],
  async run(trial) {
    await probeServed(trial);
    const served: StandardRoute[] = [];
    for (const path of paths) {
      const answers: Exchange[] = [];
      for (const { id } of routes)
        answers.push(await trial.send(withPath(trial.right(createFlow(), trial.routeOf(id)), path)));
      for (const exchange of answers) check(exchange.answer !== undefined, "an answer", describe(exchange), exchange);
      const accepted = answers.filter(isAccepted);
      served.push(...routes.filter((route, at) => route.path === path && accepted.some((one) => one === answers[at])));
      check(accepted.length < 2, `at most one secret accepted at ${path}`, "both secrets accepted", ...accepted);
      if (one.gaps !== undefined) mustFit(trial, "config.duplicate-refused", accepted.length === 0, ...answers);
    }
    if (one.meetsLimits && served.length > 1) await mustCountApart(trial, served);
  },
}));

export const badConfigurationCases: readonly Case[] = [...badCases, ...sharedPathCases];
