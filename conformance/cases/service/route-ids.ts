/** Sections 1 and 2: a route is identified by its configured id, whatever its path and the id's characters. */
import { createFlow } from "../../interface/bodies.ts";
import { spoilt } from "../../interface/broken-requests.ts";
import { withBody, withPath } from "../../interface/request.ts";
import { envelopeOf, isAccepted, textOf, type Exchange } from "../../http/exchange.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import { specialRoutes } from "../../targets/standard-routes.ts";
import { digitsId, nested, oddIds } from "../../targets/variants.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustTakeTwin } from "../../harness/checks.ts";
import { probeServed } from "../../harness/served.ts";

function mustName({ id }: ConfiguredRoute, exchange: Exchange): void {
  const { routeId } = envelopeOf(exchange) ?? {};
  check(routeId === id, `routeId: ${id}`, "another routeId", exchange);
}

/** A route that does not take its own secret must not be served at all: an answer in another's name is a fault. */
function mayBeLeftOut(route: ConfiguredRoute, exchange: Exchange): void {
  const { ok, routeId } = envelopeOf(exchange) ?? {};
  const answersFor = typeof ok === "boolean" && typeof routeId === "string" && routeId !== "";
  check(!answersFor, `${route.path} served by its own route`, "an answer in a route's name", exchange);
}

export const routeIdCases: readonly Case[] = [
  {
    id: "ENVELOPE-ROUTE-ID-DIGITS",
    title: "routeId is the route's id as a text, digits too",
    clauses: ["ENVELOPE-ROUTE-ID"],
    variant: "oddRoutes",
    requests: 2,
    reading: "Which ids a route may have is open: a target may refuse such a configuration, or leave the route out.",
    async run(trial) {
      await probeServed(trial);
      const route = trial.routeOf(digitsId);
      const exchange = await trial.post(createFlow(), route);
      if (!isAccepted(exchange)) throw new NotApplicable("a route whose id is digits is not served");
      mustName(route, exchange);
    },
  },
  {
    id: "CONFIG-PATH-NESTED",
    title: "A route whose path lies below another's is served there, with its own secret alone",
    clauses: ["SERVICE-ROUTE", "PATH-SERVED", "ENVELOPE-ROUTE-ID"],
    variant: "oddRoutes",
    requests: 10,
    reading: "Each path is its own route's. A target may refuse paths that lie below others, or leave such routes out.",
    async run(trial) {
      await probeServed(trial);
      const routes = nested.map(({ id }) => trial.routeOf(id));
      const leftOut: string[] = [];
      for (const route of routes) {
        const exchange = await trial.post(createFlow(), route);
        if (isAccepted(exchange)) {
          mustName(route, exchange);
        } else {
          mayBeLeftOut(route, exchange);
          leftOut.push(route.path);
        }
        for (const other of routes.filter(({ path }) => route.path.startsWith(`${path}/`))) {
          const wrong = withPath(trial.right(createFlow(), other), route.path);
          const answered = await trial.send(wrong);
          check(!isAccepted(answered), `no other secret accepted at ${route.path}`, "that of the path above", answered);
        }
      }
      if (leftOut.length > 0) throw new NotApplicable(`not served with its own secret: ${leftOut.join(", ")}`);
    },
  },
  {
    id: "CONFIG-ROUTE-ID-SERVED",
    title: "Routes whose ids have capitals or are names that every object has are served",
    clauses: ["SERVICE-ROUTE", "CONFIG-PATH-DEFAULT"],
    level: "should",
    variant: "oddRoutes",
    requests: 2,
    reading:
      "Which ids a route may have is open; a target that does not accept one must refuse it, not drop the route silently.",
    async run(trial) {
      await probeServed(trial);
      for (const id of oddIds) mustAccept(await trial.post(createFlow(), trial.routeOf(id)), `the route ${id} served`);
    },
  },
  {
    id: "CONFIG-DESCRIPTION-UNSEEN",
    title: "A route's description is in no answer",
    clauses: ["CONFIG-DESCRIPTION"],
    level: "should",
    requests: 3,
    reading: "It is a note for operators, without an effect at run time.",
    async run(trial) {
      const route = trial.special("described");
      const { description } = specialRoutes.described;
      const right = trial.right(createFlow(), route);
      const answered = [
        mustTakeTwin(await trial.send(right)),
        await trial.send(spoilt(right, "AUTH")),
        await trial.send(withBody(right, "{")),
      ];
      for (const exchange of answered) {
        const { answer } = exchange;
        if (answer === undefined) continue;
        const texts = [textOf(answer), ...[...answer.headers.values()].flat()];
        const isLeaked = texts.some((text) => text.includes(description));
        check(!isLeaked, "an answer without the route's description", "the description", exchange);
      }
    },
  },
];
