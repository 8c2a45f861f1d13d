/** Section 1: fields of a route that are right one by one, together. */
import { createFlow } from "../../interface/bodies.ts";
import { withBearer, withPath } from "../../interface/request.ts";
import { describe, envelopeOf, isAccepted } from "../../http/exchange.ts";
import { pathOf, type StandardRoute } from "../../targets/standard-routes.ts";
import { disabledTwins, pairedRoutes } from "../../targets/variants.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { everyCell } from "../../harness/cells.ts";
import { check, flowOf, mustAccept } from "../../harness/checks.ts";
import { readBack } from "../../harness/flows.ts";
import { mustNotServe, probeServed } from "../../harness/served.ts";
import type { Trial } from "../../harness/trial.ts";

const routes: readonly StandardRoute[] = pairedRoutes;
const isOn = ({ enabled = true }: StandardRoute): boolean => enabled;

/** Fails unless the flow has the controller of the route that made it, in the answer and when another route reads it. */
async function mustHaveController(trial: Trial, made: StandardRoute, reader: StandardRoute): Promise<boolean> {
  const { id, controllerId = `webhooks/${id}` } = made;
  const exchange = mustAccept(await trial.post(createFlow(), trial.routeOf(id)), `${id} served at its path`);
  const flow = flowOf(exchange);
  const read =
    reader.session === made.session ? await readBack(trial, flow.flowId, trial.routeOf(reader.id)) : undefined;
  const shown = [flow["controllerId"], read?.["controllerId"]].filter((value) => value !== undefined);
  for (const value of shown)
    check(value === controllerId, `the controllerId ${controllerId} through ${id}`, "another one", exchange);
  return shown.length > 0;
}

export const fieldPairCases: readonly Case[] = [
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
      const columns = ["own secret", "other secrets", "routeId", "controllerId", "default path"];
      const visit = everyCell(
        trial,
        routes.map(({ id }) => id),
        columns,
      );
      for (const [index, route] of routes.entries()) {
        const { id } = route;
        const right = trial.right(createFlow(), trial.routeOf(id));
        const exchange = mustAccept(await trial.send(right), `${id} served at its path`);
        visit(id, "own secret");
        check(envelopeOf(exchange)?.routeId === id, `routeId: ${id}`, "another routeId", exchange);
        visit(id, "routeId");
        for (const other of routes.filter((one) => one !== route)) {
          const answered = await trial.send(withBearer(right, trial.routeOf(other.id).secret));
          check(!isAccepted(answered), `the secret of ${other.id} refused at ${id}`, describe(answered), answered);
        }
        visit(id, "other secrets");
        const reader = routes[(index + 1) % routes.length] ?? route;
        if (await mustHaveController(trial, route, reader)) visit(id, "controllerId");
        if (route.path === undefined) continue;
        mustNotServe(await trial.send(withPath(right, pathOf({ id, session: "", secret: "env" }))));
        visit(id, "default path");
      }
    },
  },
  {
    id: "CONFIG-DISABLED-TWIN-SERVED",
    title: "Of two routes with one path, one of them disabled, the other is served in its own name",
    clauses: ["CONFIG-ENABLED", "CONFIG-PATH-UNIQUE"],
    level: "should",
    variant: "oddRoutes",
    requests: 8,
    reading:
      "`enabled: false` disables a route: what is not served takes no path. Paths that must be unique may be read otherwise.",
    async run(trial) {
      await probeServed(trial);
      for (const { id } of disabledTwins.filter(isOn)) {
        const exchange = mustAccept(await trial.post(createFlow(), trial.routeOf(id)), `${id} served`);
        const { routeId } = envelopeOf(exchange) ?? {};
        if (routeId === undefined) throw new NotApplicable("no answer has a routeId");
        check(routeId === id, `routeId: ${id}`, "another routeId", exchange);
      }
    },
  },
];
