/** Section 1: the effects of a route's configuration, valid or not, that can be seen from outside. */
import { createFlow } from "../../interface/bodies.ts";
import { validRequest, withPath } from "../../interface/request.ts";
import type { ClauseId } from "../../interface/clauses/index.ts";
import { describe, isAccepted } from "../../http/exchange.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import { specialRoutes, type SpecialRoute } from "../../targets/standard-routes.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowOf, mustAccept, mustTakeTwin } from "../../harness/checks.ts";
import { mustBeGuarded, mustShow } from "../../harness/flows.ts";
import { mustNotServe } from "../../harness/served.ts";

const defaultPath = (route: ConfiguredRoute) => `/plugins/webhooks/${route.id}`;

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
  requests: 2,
  async run(trial) {
    mustAccept(await trial.post(createFlow(), trial.special(route)));
    await mustBeGuarded(trial, trial.special(route));
  },
}));

export const configurationCases: readonly Case[] = [
  ...servedCases,
  {
    id: "CONFIG-PATH-DEFAULT",
    title: "A route without `path` and `enabled` answers at /plugins/webhooks/<routeId>",
    clauses: ["CONFIG-PATH-DEFAULT", "CONFIG-ENABLED", "CONFIG-PLACE", "SERVICE-ROUTE", "PATH-SERVED"],
    requests: 2,
    async run(trial) {
      mustAccept(await trial.send(withPath(trial.right(), defaultPath(trial.route))));
      await mustBeGuarded(trial, trial.route);
    },
  },
  {
    id: "CONFIG-PATH-CUSTOM",
    title: "A route with a `path` answers there and not at its default path",
    clauses: ["PATH-SERVED", "CONFIG-PATH-DEFAULT"],
    requests: 2,
    async run(trial) {
      const route = trial.special("customPath");
      const request = trial.right(createFlow(), route);
      mustAccept(await trial.send(request));
      mustNotServe(await trial.send(withPath(request, defaultPath(route))));
    },
  },
  {
    id: "CONFIG-DISABLED",
    title: "A route with `enabled: false` is not served",
    clauses: ["CONFIG-ENABLED"],
    requests: 2,
    async run(trial) {
      mustTakeTwin(await trial.post(createFlow(), trial.special("explicitlyEnabled")));
      const exchange = await trial.post(createFlow(), trial.special("disabled"));
      const refused = exchange.answer !== undefined && !isAccepted(exchange);
      check(refused, "not accepted, in whatever way", describe(exchange), exchange);
    },
  },
  {
    id: "CONFIG-CONTROLLER-DEFAULT",
    title: "A flow gets `webhooks/<routeId>` as its controllerId",
    clauses: ["CONFIG-CONTROLLER"],
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
    variant: "entryDisabled",
    requests: 1,
    reading: "The same request is accepted with the standard configuration, where the same route is served.",
    async run(trial) {
      mustNotServe(await trial.post(createFlow(), trial.special("probe")));
    },
  },
  {
    id: "CONFIG-CONTROLLER-OVERRIDDEN",
    title: "The controllerId that a request sends is the flow's, whatever the route's",
    clauses: ["CONFIG-CONTROLLER"],
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
];
