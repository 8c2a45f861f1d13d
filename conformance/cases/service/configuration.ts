/** Section 1: the effects of a route's configuration, valid or not, that can be seen from outside. */
import { createFlow } from "../../interface/bodies.ts";
import { validRequest, withPath } from "../../interface/request.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import { specialRoutes } from "../../targets/standard-routes.ts";
import type { Case } from "../../harness/case.ts";
import { flowOf, mustAccept } from "../../harness/checks.ts";
import { mustShow } from "../../harness/flows.ts";
import { mustNotServe } from "../../harness/served.ts";
import type { Trial } from "../../harness/trial.ts";

const defaultPath = (route: ConfiguredRoute) => `/plugins/webhooks/${route.id}`;

async function mustGetController(trial: Trial, route: ConfiguredRoute, expected: string, sent = {}): Promise<void> {
  const exchange = mustAccept(await trial.post(createFlow("controlled", sent), route));
  await mustShow(trial, exchange, flowOf(exchange).flowId, "controllerId", expected);
}

export const configurationCases: readonly Case[] = [
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
    id: "CONFIG-CONTROLLER",
    title: "A flow gets the controllerId that its route is configured with, or `webhooks/<routeId>`",
    clauses: ["CONFIG-CONTROLLER"],
    requests: 4,
    async run(trial) {
      await mustGetController(trial, trial.route, `webhooks/${trial.route.id}`);
      await mustGetController(trial, trial.special("customController"), specialRoutes.customController.controllerId);
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
      const overriding = "conformance/overriding";
      const sent = { [trial.gap("create.controller-field")]: overriding };
      for (const route of [trial.route, trial.special("customController")])
        await mustGetController(trial, route, overriding, sent);
    },
  },
];
