/** Sections 1 and 2: a route is served at its path, by its own secret, id and controller, whatever else its entry holds. */
import { createFlow } from "../../interface/bodies.ts";
import { validRequest, withBearer, withPath } from "../../interface/request.ts";
import { describe, envelopeOf, isAccepted, type Exchange } from "../../http/exchange.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import { pathOf, specialRoutes, type StandardRoute } from "../../targets/standard-routes.ts";
import { digitsId, nested, oddIds, pairedRoutes } from "../../targets/variants.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowOf, jsonTypeOf, mustAccept } from "../../harness/checks.ts";
import { mustShow, readBack } from "../../harness/flows.ts";
import { mustNotServe, probeServed } from "../../harness/served.ts";
import type { Trial } from "../../harness/trial.ts";

const defaultPath = ({ id }: { readonly id: string }): string => pathOf({ id, session: "", secret: "env" });

function mustName(id: string, exchange: Exchange): void {
  const routeId: unknown = envelopeOf(exchange)?.routeId;
  check(routeId === id, `routeId: ${id}, a string`, `another routeId: ${jsonTypeOf(routeId)}`, exchange);
}

/** Fails unless the route takes its own secret and answers in its own name. */
async function mustBeServed(trial: Trial, id: string): Promise<Exchange> {
  const exchange = mustAccept(await trial.post(createFlow(), trial.routeOf(id)), `${id} served at its path`);
  mustName(id, exchange);
  return exchange;
}

/** A route that does not take its own secret must not be served at all: an answer in another's name is a fault. */
function mayBeLeftOut(route: ConfiguredRoute, exchange: Exchange): void {
  const { ok, routeId } = envelopeOf(exchange) ?? {};
  const answersFor = typeof ok === "boolean" && typeof routeId === "string" && routeId !== "";
  check(!answersFor, `${route.path} served by its own route`, "an answer in a route's name", exchange);
}

async function mustGetController(trial: Trial, route: ConfiguredRoute, expected: string, sent = {}): Promise<void> {
  const exchange = mustAccept(await trial.post(createFlow("controlled", sent), route));
  await mustShow(trial, exchange, flowOf(exchange).flowId, "controllerId", expected);
}

const standardCases: readonly Case[] = [
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

const unservedCases: readonly Case[] = [
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
      for (const path of ["/plugins/webhooks/probe", "/plugins/webhooks", "/plugins/webhooks/default"])
        mustNotServe(await trial.send(validRequest({ path, secret: "none" }, createFlow())));
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
];

const oddCases: readonly Case[] = [
  {
    id: "CONFIG-ROUTE-ID-SERVED",
    title: "Routes whose ids have capitals or are names that every object has are served",
    clauses: ["SERVICE-ROUTE", "CONFIG-PATH-DEFAULT"],
    variant: "oddRoutes",
    requests: 4,
    reading:
      "Which ids a route may have is open; a target that does not accept one must refuse it, not drop the route silently.",
    async run(trial) {
      await probeServed(trial);
      for (const id of oddIds) await mustBeServed(trial, id);
    },
  },
  {
    id: "CONFIG-PATH-NESTED",
    title: "A route below another one's path, or with digits for an id, is served in its name, by its secret alone",
    clauses: ["SERVICE-ROUTE", "PATH-SERVED", "ENVELOPE-ROUTE-ID"],
    variant: "oddRoutes",
    requests: 11,
    reading:
      "Each path is its own route's, and routeId is a text. A target may refuse such a configuration, or leave routes out.",
    async run(trial) {
      await probeServed(trial);
      const routes = [...nested.map(({ id }) => id), digitsId].map((id) => trial.routeOf(id));
      const leftOut: string[] = [];
      for (const route of routes) {
        const exchange = await trial.post(createFlow(), route);
        if (isAccepted(exchange)) mustName(route.id, exchange);
        else {
          mayBeLeftOut(route, exchange);
          leftOut.push(route.path);
        }
        for (const other of routes.filter(({ path }) => route.path.startsWith(`${path}/`))) {
          const answered = await trial.send(withPath(trial.right(createFlow(), other), route.path));
          check(!isAccepted(answered), `no other secret accepted at ${route.path}`, "that of the path above", answered);
        }
      }
      if (leftOut.length > 0) throw new NotApplicable(`not served with its own secret: ${leftOut.join(", ")}`);
    },
  },
  {
    id: "CONFIG-FIELD-PAIRS",
    title:
      "Routes with several fields of their own are served at their paths, each by its own secret, id and controller",
    clauses: ["SERVICE-ROUTE", "PATH-SERVED", "CONFIG-PATH-DEFAULT", "CONFIG-CONTROLLER", "CONFIG-DESCRIPTION"],
    variant: "pairedFields",
    requests: 40,
    reading:
      "Every field is valid by itself. The descriptions read like settings, two routes have each other's id as the last " +
      "segment of their paths, and four share a session with three controllers.",
    async run(trial) {
      const routes: readonly StandardRoute[] = pairedRoutes;
      for (const [index, route] of routes.entries()) {
        const { id, controllerId = `webhooks/${id}` } = route;
        const right = trial.right(createFlow(), trial.routeOf(id));
        const exchange = await mustBeServed(trial, id);
        for (const other of routes.filter((one) => one !== route)) {
          const answered = await trial.send(withBearer(right, trial.routeOf(other.id).secret));
          check(!isAccepted(answered), `the secret of ${other.id} refused at ${id}`, describe(answered), answered);
        }
        // In the answer, and when another route of its session reads the flow.
        const flow = flowOf(exchange);
        const next = routes[(index + 1) % routes.length] ?? route;
        const reader = trial.routeOf(next.session === route.session ? next.id : id);
        for (const view of [flow, await readBack(trial, flow.flowId, reader)]) {
          const shown = view?.["controllerId"] ?? controllerId;
          check(shown === controllerId, `the controllerId ${controllerId} through ${id}`, "another one", exchange);
        }
        if (route.path !== undefined) mustNotServe(await trial.send(withPath(right, defaultPath(route))));
      }
    },
  },
];

export const routeCases: readonly Case[] = [...standardCases, ...unservedCases, ...oddCases];
