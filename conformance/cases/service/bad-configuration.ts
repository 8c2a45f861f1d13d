/** Section 1: bad configurations. A target may refuse one as a whole, or leave just the bad routes out. */
import { createFlow } from "../../interface/bodies.ts";
import { spoilt } from "../../interface/broken-requests.ts";
import { withHeader, withoutHeader, withPath } from "../../interface/request.ts";
import type { ClauseId } from "../../interface/clauses/index.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import type { StandardRoute } from "../../targets/standard-routes.ts";
import {
  badRoutes,
  clashes,
  emptySecrets,
  openedBy,
  openFields,
  severalBad,
  variants,
  wrongTypes,
  type VariantName,
} from "../../targets/variants.ts";
import type { Case } from "../../harness/case.ts";
import { check } from "../../harness/checks.ts";
import { probeServed } from "../../harness/served.ts";
import type { Trial } from "../../harness/trial.ts";

const refusedAsAWhole =
  "A target may refuse the configuration by ending before it is ready, or leave just the bad route out.";

/** Every way to send what could pass for the secret of a route that has none. */
function guesses(trial: Trial, route: ConfiguredRoute) {
  const right = trial.right(createFlow(), route);
  const product = `x-${trial.product}-webhook-secret`;
  const bare = withoutHeader(right, "authorization");
  const values = ["", " ", "undefined", "null", "[object Object]"];
  return [
    right,
    bare,
    ...values.map((value) => withHeader(right, "authorization", `Bearer ${value}`)),
    ...values.map((value) => withHeader(bare, product, value)),
  ];
}

interface Bad {
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly ClauseId[];
  readonly variant: VariantName;
  readonly routes: readonly StandardRoute[];
}

const lettingNobodyIn: readonly Bad[] = [
  {
    id: "CONFIG-NO-SESSION-KEY",
    title: "A route without sessionKey lets nobody in",
    clauses: ["CONFIG-SESSION-KEY"],
    variant: "noSessionKey",
    routes: [badRoutes.noSessionKey],
  },
  {
    id: "CONFIG-NO-SECRET",
    title: "A route without secret lets nobody in",
    clauses: ["CONFIG-SECRET"],
    variant: "noSecret",
    routes: [badRoutes.noSecret],
  },
  {
    id: "CONFIG-EMPTY-SECRET",
    title: "A route whose secret is an empty or a blank text lets nobody in",
    clauses: ["CONFIG-SECRET", "AUTH-REQUIRED"],
    variant: "emptySecret",
    routes: [emptySecrets.empty, emptySecrets.blank],
  },
  {
    id: "CONFIG-EMPTY-VARIABLE",
    title: "A route whose secret's environment variable is empty lets nobody in",
    clauses: ["CONFIG-SECRET", "AUTH-REQUIRED", "COLD-ROUTE"],
    variant: "emptyVariable",
    routes: [emptySecrets.variable],
  },
];

const badCases: readonly Case[] = lettingNobodyIn.map(({ id, title, clauses, variant, routes }) => ({
  id,
  title,
  clauses,
  variant,
  requests: 24,
  reading: `${refusedAsAWhole} Whatever it does, the bad route accepts no secret, none and no empty one.`,
  async run(trial) {
    await probeServed(trial);
    for (const request of routes.flatMap(({ id: routeId }) => guesses(trial, trial.routeOf(routeId)))) {
      const exchange = await trial.send(request);
      const refused = exchange.answer !== undefined && !isAccepted(exchange);
      check(refused, "a refusal", describe(exchange), exchange);
    }
    await probeServed(trial);
  },
}));

const common = { variant: "severalBad" } as const;

function mustNotAccept(exchange: Exchange, what: string): void {
  const refused = exchange.answer !== undefined && !isAccepted(exchange);
  check(refused, `a refusal at ${what}`, describe(exchange), exchange);
}

export const badConfigurationCases: readonly Case[] = [
  ...badCases,
  ...(["duplicatePath", "duplicateDefaultPath"] as const).map((variant): Case => ({
    id: variant === "duplicatePath" ? "CONFIG-PATH-CLASH" : "CONFIG-PATH-CLASH-DEFAULT",
    title: `With ${variants[variant].title} the gateway does not start, or neither route is served`,
    clauses: ["CONFIG-PATH-UNIQUE"],
    gaps: ["config.duplicate-refused"],
    variant,
    requests: 2,
    reading:
      "The interface says that paths must be unique, not what a clash leads to. One silently in the other's place is the worst.",
    async run(trial) {
      await probeServed(trial);
      const answers: Exchange[] = [];
      for (const { id } of clashes[variant]) {
        const { path } = trial.routeOf(clashes[variant][1].id);
        answers.push(await trial.send(withPath(trial.right(createFlow(), trial.routeOf(id)), path)));
      }
      const served = answers.filter(isAccepted);
      const expected = trial.gap("config.duplicate-refused")
        ? "neither of two routes with one path served"
        : "one of two routes with one path served";
      check(
        (served.length === 0) === trial.gap("config.duplicate-refused"),
        expected,
        `${served.length} of them served`,
        ...answers,
      );
    },
  })),
  {
    id: "CONFIG-PATH-DUPLICATE",
    title: "Of two routes with one path at most one is served there",
    clauses: ["CONFIG-PATH-UNIQUE"],
    variant: "duplicatePath",
    requests: 2,
    reading: `${refusedAsAWhole} Which of the two routes is the bad one is left open; both may be left out.`,
    async run(trial) {
      await probeServed(trial);
      const answers: Exchange[] = [];
      for (const { id, path } of clashes.duplicatePath) {
        const exchange = await trial.send(withPath(trial.right(createFlow(), trial.routeOf(id)), path));
        check(exchange.answer !== undefined, "an answer", describe(exchange), exchange);
        answers.push(exchange);
      }
      const accepted = answers.filter(isAccepted);
      check(accepted.length < 2, "at most one secret accepted at the path", "both secrets accepted", ...answers);
    },
  },
  {
    ...common,
    id: "CONFIG-SEVERAL-BAD",
    title: "Of several bad routes in one configuration none lets anybody in",
    clauses: ["CONFIG-SESSION-KEY", "CONFIG-SECRET"],
    requests: 24,
    reading: `${refusedAsAWhole} The first fault is not the last one.`,
    async run(trial) {
      await probeServed(trial);
      for (const { id } of [severalBad.noSessionKey, severalBad.noSecret]) {
        for (const request of guesses(trial, trial.routeOf(id)))
          mustNotAccept(await trial.send(request), `route ${id}`);
      }
      await probeServed(trial);
    },
  },
  {
    id: "CONFIG-WRONG-TYPES",
    title: "A route with a secret, a SecretRef or a sessionKey of a wrong type lets nobody in",
    clauses: ["CONFIG-SESSION-KEY", "CONFIG-SECRET", "SECRETREF-FIELDS"],
    variant: "wrongTypes",
    requests: 6,
    reading: `${refusedAsAWhole} No secret is made of a number, a list or the parts of a SecretRef.`,
    async run(trial) {
      await probeServed(trial);
      for (const [id, { entry, guesses: values }] of Object.entries(wrongTypes)) {
        const right = trial.right(createFlow(), trial.routeOf(id));
        const bare = withoutHeader(right, "authorization");
        const guessed = values.flatMap((value) => [
          withHeader(right, "authorization", `Bearer ${value}`),
          withHeader(bare, `x-${trial.product}-webhook-secret`, value),
        ]);
        const [field] = Object.keys(entry);
        for (const request of [right, ...guessed]) {
          mustNotAccept(await trial.send(request), `a route with the ${field} ${JSON.stringify(entry[field ?? ""])}`);
        }
      }
      await probeServed(trial);
    },
  },
  {
    ...common,
    id: "CONFIG-PATH-SPELLED",
    title: "Of two routes whose paths a router may take for one, only one secret is accepted at a path",
    clauses: ["CONFIG-PATH-UNIQUE"],
    requests: 16,
    reading: "The paths differ by letter case and a slash at the end: a target may serve them as two, or refuse them.",
    async run(trial) {
      await probeServed(trial);
      const routes = [trial.routeOf(severalBad.spelled.id), trial.routeOf(severalBad.spelledOtherwise.id)];
      for (const path of [...routes.map((route) => route.path), `${severalBad.spelled.path}/`, "/hooks/Spelled"]) {
        const answers: Exchange[] = [];
        for (const route of routes) answers.push(await trial.send(withPath(trial.right(createFlow(), route), path)));
        const accepted = answers.filter(isAccepted);
        check(accepted.length < 2, `at most one secret accepted at ${path}`, "both secrets accepted", ...accepted);
      }
    },
  },
  {
    ...common,
    id: "CONFIG-UNKNOWN-FIELDS",
    title: "Fields that a route entry does not have do not open the route",
    clauses: ["AUTH-REQUIRED", "CONFIG-SECRET"],
    requests: 6,
    reading: "Entries say `auth: none` and the like beside their secrets. A target may leave such routes out.",
    async run(trial) {
      await probeServed(trial);
      for (const [field, value] of Object.entries(openFields)) {
        const right = trial.right(createFlow(), trial.routeOf(openedBy(field)));
        const bare = withoutHeader(right, "authorization");
        for (const request of [bare, spoilt(right, "AUTH")]) {
          mustNotAccept(await trial.send(request), `a route with \`${field}: ${value}\``);
        }
      }
    },
  },
];
