/** Section 1: what of a route's configuration can be seen from outside, right and wrong. */
import { createFlow } from "../../../fixtures/bodies.ts";
import { validRequest, withHeader, withoutHeader, withPath } from "../../../fixtures/request.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowOf, mustAccept, twin } from "../../harness/checks.ts";
import type { ClauseId } from "../../interface/clauses/index.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import { describe, isAccepted, type Exchange } from "../../http/exchange.ts";
import type { Route } from "../../targets/configured.ts";
import { specialRoutes, type SpecialRoute, type StandardRoute } from "../../targets/standard-routes.ts";
import { badRoute, duplicatePath, emptySecrets, variants, type VariantName } from "../../targets/variants.ts";
import type { Trial } from "../../harness/trial.ts";
import { guarded, mustShow } from "../../harness/flows.ts";
import { mustNotServe } from "../../harness/not-served.ts";

const defaultPath = (route: Route) => `/plugins/webhooks/${route.id}`;

interface Served {
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly ClauseId[];
  readonly route: SpecialRoute;
}

const served: readonly Served[] = [
  {
    id: "CONFIG-ENABLED-EXPLICITLY",
    title: "A route with `enabled: true` is served",
    clauses: ["CONFIG-ENABLED"],
    route: "explicitlyEnabled",
  },
  {
    id: "CONFIG-DESCRIPTION-INERT",
    title: "A description that reads like a setting changes nothing",
    clauses: ["CONFIG-DESCRIPTION"],
    route: "described",
  },
  {
    id: "CONFIG-SPECIAL-CONTROLLER-SERVED",
    title: "A route with a controllerId of its own is served at its default path",
    clauses: ["SERVICE-ROUTE", "CONFIG-PATH-DEFAULT"],
    route: "customController",
  },
];

const servedCases: readonly Case[] = served.map(({ id, title, clauses, route }) => ({
  id,
  title,
  clauses,
  level: "must",
  requests: 2,
  async run(trial) {
    mustAccept(await trial.post(createFlow(), trial.special(route)));
    await guarded(trial, trial.special(route));
  },
}));

interface Bad {
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly ClauseId[];
  readonly variant: VariantName;
  readonly routes: readonly StandardRoute[];
}

const badRoutes: readonly Bad[] = [
  {
    id: "CONFIG-NO-SESSION-KEY",
    title: "A route without sessionKey lets nobody in",
    clauses: ["CONFIG-SESSION-KEY"],
    variant: "noSessionKey",
    routes: [badRoute],
  },
  {
    id: "CONFIG-NO-SECRET",
    title: "A route without secret lets nobody in",
    clauses: ["CONFIG-SECRET"],
    variant: "noSecret",
    routes: [badRoute],
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

export const refusedAsAWhole =
  "A target may refuse the configuration by ending before it is ready, or leave just the bad route out.";

/** The probe route is right: where it is not served, the configuration was refused as a whole, and nothing is seen. */
export async function probeServed(trial: Trial): Promise<void> {
  const exchange = await trial.post(createFlow(), trial.special("probe"));
  if (isAccepted(exchange)) return;
  check(exchange.answer !== undefined, "a gateway that answers", describe(exchange), exchange);
  throw new NotApplicable("the target serves no route at all with this configuration");
}

/** Every way to send what could pass for the secret of a route that has none. */
export function guesses(trial: Trial, route: Route) {
  const right = validRequest(route, createFlow());
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

const badCases: readonly Case[] = badRoutes.map(({ id, title, clauses, variant, routes }) => ({
  id,
  title,
  clauses,
  level: "must",
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

export const configurationCases: readonly Case[] = [
  ...servedCases,
  ...badCases,
  {
    id: "CONFIG-PATH-DEFAULT",
    title: "A route without `path` and `enabled` answers at /plugins/webhooks/<routeId>",
    clauses: ["CONFIG-PATH-DEFAULT", "CONFIG-ENABLED", "SERVICE-ROUTE", "PATH-SERVED"],
    level: "must",
    requests: 2,
    async run(trial) {
      mustAccept(await trial.send(withPath(validRequest(trial.route, createFlow()), defaultPath(trial.route))));
      await guarded(trial, trial.route);
    },
  },
  {
    id: "CONFIG-PATH-CUSTOM",
    title: "A route with a `path` answers there and not at its default path",
    clauses: ["PATH-SERVED", "CONFIG-PATH-DEFAULT"],
    level: "must",
    requests: 2,
    async run(trial) {
      const route = trial.special("customPath");
      const request = validRequest(route, createFlow());
      mustAccept(await trial.send(request));
      mustNotServe(await trial.send(withPath(request, defaultPath(route))));
    },
  },
  {
    id: "CONFIG-DISABLED",
    title: "A route with `enabled: false` is not served",
    clauses: ["CONFIG-ENABLED"],
    level: "must",
    requests: 2,
    async run(trial) {
      twin(await trial.post(createFlow(), trial.special("explicitlyEnabled")));
      const exchange = await trial.post(createFlow(), trial.special("disabled"));
      const refused = exchange.answer !== undefined && !isAccepted(exchange);
      check(refused, "not accepted, in whatever way", describe(exchange), exchange);
    },
  },
  {
    id: "CONFIG-CONTROLLER-DEFAULT",
    title: "A flow gets `webhooks/<routeId>` as its controllerId",
    clauses: ["CONFIG-CONTROLLER"],
    level: "must",
    requests: 2,
    async run(trial) {
      const exchange = mustAccept(await trial.post(createFlow()));
      await mustShow(trial, exchange, flowOf(exchange).flowId, "controllerId", `webhooks/${trial.route.id}`);
    },
  },
  {
    id: "CONFIG-CONTROLLER-CUSTOM",
    title: "A flow gets the controllerId that its route is configured with",
    clauses: ["CONFIG-CONTROLLER"],
    level: "must",
    requests: 2,
    async run(trial) {
      const exchange = mustAccept(await trial.post(createFlow(), trial.special("customController")));
      const { controllerId } = specialRoutes.customController;
      const shown = flowOf(exchange)["controllerId"];
      if (shown === undefined) throw new NotApplicable("the result of create_flow does not show a controllerId");
      check(shown === controllerId, `controllerId: ${controllerId}`, "another controllerId", exchange);
    },
  },
  {
    id: "CONFIG-NO-ROUTES",
    title: "Without routes the plugin does nothing",
    clauses: ["SERVICE-NO-ROUTES"],
    level: "must",
    variant: "noRoutes",
    requests: 4,
    reading:
      "The gateway answers, and neither accepts anything at a default path nor answers in the name of a route. " +
      "Whatever status and body it has for unknown paths is right.",
    async run(trial) {
      const bare = { path: "/plugins/webhooks/probe", secret: "none" };
      for (const path of [bare.path, "/plugins/webhooks", "/plugins/webhooks/default"]) {
        mustNotServe(await trial.send(withPath(validRequest(bare, createFlow()), path)));
      }
    },
  },
  {
    id: "CONFIG-ENTRY-DISABLED",
    title: "With the plugin entry disabled no route is served",
    clauses: ["CONFIG-ENTRY-ENABLED"],
    level: "must",
    variant: "entryDisabled",
    requests: 1,
    reading: "The same request is accepted with the standard configuration, where the same route is served.",
    async run(trial) {
      mustNotServe(await trial.post(createFlow(), trial.special("probe")));
    },
  },
  ...(["duplicatePath", "duplicateDefaultPath"] as const).map((variant): Case => ({
    id: variant === "duplicatePath" ? "CONFIG-PATH-CLASH" : "CONFIG-PATH-CLASH-DEFAULT",
    title: `With ${variants[variant].title} the gateway does not start, or neither route is served`,
    clauses: ["CONFIG-PATH-UNIQUE"],
    level: "gap",
    gaps: ["config.duplicate-refused"],
    variant,
    requests: 2,
    reading:
      "The interface says that paths must be unique, not what a clash leads to. One silently in the other's place is the worst.",
    async run(trial) {
      await probeServed(trial);
      const answers: Exchange[] = [];
      for (const id of ["first", "second"]) {
        const { path } = trial.routeOf("second");
        answers.push(await trial.send(withPath(validRequest(trial.routeOf(id), createFlow()), path)));
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
    id: "CONFIG-CONTROLLER-OVERRIDDEN",
    title: "The controllerId that a request sends is the flow's, whatever the route's",
    clauses: ["CONFIG-CONTROLLER"],
    level: "gap",
    gaps: ["create.controller-field"],
    requests: 2,
    reading: "Section 3: the route's controllerId unless overridden; the field's name is not shown.",
    async run(trial) {
      for (const route of [trial.route, trial.special("customController")]) {
        const sent = { [trial.gap("create.controller-field")]: "conformance/overriding" };
        const exchange = mustAccept(await trial.post(createFlow("overridden", sent), route));
        const shown = flowOf(exchange)["controllerId"];
        if (shown === undefined) throw new NotApplicable("the result of create_flow does not show a controllerId");
        check(shown === "conformance/overriding", "the controllerId that was sent", "another one", exchange);
      }
    },
  },
  {
    id: "CONFIG-PATH-DUPLICATE",
    title: "Of two routes with one path at most one is served there",
    clauses: ["CONFIG-PATH-UNIQUE"],
    level: "must",
    variant: "duplicatePath",
    requests: 2,
    reading: `${refusedAsAWhole} Which of the two routes is the bad one is left open; both may be left out.`,
    async run(trial) {
      await probeServed(trial);
      const [first, second] = [trial.routeOf("first"), trial.routeOf("second")];
      const answers: Exchange[] = [];
      for (const route of [first, second]) {
        const exchange = await trial.send(withPath(validRequest(route, createFlow()), duplicatePath));
        check(exchange.answer !== undefined, "an answer", describe(exchange), exchange);
        answers.push(exchange);
      }
      const accepted = answers.filter(isAccepted);
      check(accepted.length < 2, "at most one secret accepted at the path", "both secrets accepted", ...answers);
    },
  },
];
