/** Sections 1 and 2: a route is served at its path, by its own secret, id and controller, whatever else its entry holds. */
import { createFlow } from "../../interface/bodies.ts";
import { validRequest, withBody, withPath, withProductHeader, type Request } from "../../interface/request.ts";
import { describe, envelopeOf, isAccepted } from "../../http/exchange.ts";
import type { ConfiguredRoute } from "../../targets/configuration.ts";
import { pathOf, specialRoutes, type StandardRoute } from "../../targets/standard-routes.ts";
import { digits, letterSecret, oddIds, oddTexts, oneSecret, refusableIds } from "../../targets/odd-routes.ts";
import { nested, pairedRoutes } from "../../targets/variants.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowOf, jsonTypeOf, mustAccept } from "../../harness/checks.ts";
import { mustShow, readBack, shows } from "../../harness/flows.ts";
import { mustNotServe, probeServed } from "../../harness/served.ts";
import type { Trial } from "../../harness/trial.ts";

const defaultPath = ({ id }: { readonly id: string }): string => pathOf({ id, session: "", secret: "env" });

async function mustGetController(trial: Trial, route: ConfiguredRoute, expected: string, sent = {}): Promise<void> {
  const exchange = mustAccept(await trial.post(createFlow("controlled", sent), route));
  await mustShow(trial, exchange, flowOf(exchange).flowId, "controllerId", expected);
}

/** A request that opens the route, at its path as a URL has it, by a header that can carry its secret (RFC 6750, 2.1). */
function opening(trial: Trial, { id, path, secretWith }: StandardRoute): Request {
  const route = trial.routeOf(id);
  const right = withPath(trial.right(createFlow(), route), path ?? encodeURI(route.path));
  return secretWith === undefined ? right : withProductHeader(right, trial.product, route.secret);
}

async function mustRefuseSecretOf(trial: Trial, other: StandardRoute, { id }: StandardRoute, right: Request) {
  const { secret } = trial.routeOf(other.id);
  if (secret === trial.routeOf(id).secret) return;
  const exchange = await trial.send(withProductHeader(right, trial.product, secret));
  check(!isAccepted(exchange), `the secret of ${other.id} refused at ${id}`, describe(exchange), exchange);
}

/**
 * Each is served at its path alone, in its own name, by its own secret, for its own session, with its own controller.
 * `mayBeLeftOut`: or not served at all.
 */
async function mustBeAsConfigured(
  trial: Trial,
  routes: readonly StandardRoute[],
  mayBeLeftOut: boolean = false,
): Promise<void> {
  const made: { readonly session: string; readonly flowId: string }[] = [];
  await trial.each(routes.entries(), async ([index, route]) => {
    const { id, session, path, controllerId } = route;
    const right = opening(trial, route);
    const exchange = await trial.send(right);
    const next = routes[(index + 1) % routes.length] ?? route;
    await mustRefuseSecretOf(trial, next, route, right);
    const { ok, routeId } = envelopeOf(exchange) ?? {};
    if (mayBeLeftOut && !isAccepted(exchange)) {
      const answersFor = typeof ok === "boolean" && typeof routeId === "string" && routeId !== "";
      return check(!answersFor, `${id} served by its own route`, "an answer in a route's name", exchange);
    }
    mustAccept(exchange, `${id} served at its path`);
    check(routeId === id, `routeId: ${id}, a string`, `another routeId: ${jsonTypeOf(routeId)}`, exchange);
    const flow = flowOf(exchange);
    const others = made.filter((other) => other.session !== session);
    made.push({ session, flowId: flow.flowId });
    // In the answer, and when another route of its session reads the flow.
    const reader = trial.routeOf(next.session === session ? next.id : id);
    const read = controllerId === undefined ? undefined : await readBack(trial, flow.flowId, reader);
    const expected = controllerId ?? `webhooks/${id}`;
    for (const view of [flow, read]) {
      const shown = view?.["controllerId"] ?? expected;
      check(shown === expected, `the controllerId ${expected} through ${id}`, "another one", exchange);
    }
    const list = await trial.send(withBody(right, JSON.stringify({ action: "list_flows" })));
    const isForeign = others.some(({ flowId }) => shows(list, flowId));
    check(!isForeign, `no flow of another session listed at ${id}`, "one", list);
    if (!mayBeLeftOut && path !== undefined) mustNotServe(await trial.send(withPath(right, defaultPath(route))));
  });
  if (made.length === 0)
    throw new NotApplicable(`none of these routes is served: ${routes.map(({ id }) => id).join(", ")}`);
}

/** What careless code takes for a letter beyond ASCII; the other one in UTF-8. */
const lettersFor = {
  "without it": "",
  "with ? for it": "?",
  "with its last byte": "A",
  "with another": "\u00c5\u0083",
};

/** At a route whose secret has such a letter: how a header carries it is open. */
async function mustTakeNoOtherLetter(trial: Trial): Promise<void> {
  const route = trial.routeOf(letterSecret.id);
  await trial.each(Object.entries(lettersFor), async ([what, letters]) => {
    const secret = route.secret.replace(letterSecret.secretWith, letters);
    const exchange = await trial.send(withProductHeader(trial.right(createFlow(), route), trial.product, secret));
    check(!isAccepted(exchange), `a secret beyond ASCII ${what} refused`, describe(exchange), exchange);
  });
}

interface Texts extends Omit<Case, "run" | "requests"> {
  readonly routes: readonly StandardRoute[];
  readonly mayBeLeftOut?: true;
  readonly more?: Case["run"];
}

const served =
  "Each entry is one route (section 1), and no rule forbids such a text: a target that does not take one has to refuse it, " +
  "not to drop the route silently.";
const servedOrNot =
  "A target may refuse such a configuration, or leave routes out; those that it serves are as they are configured.";

const texts: readonly Texts[] = [
  {
    id: "CONFIG-ROUTE-ID-SERVED",
    title: "Route ids with capitals, or named like inherited properties, are served",
    clauses: ["SERVICE-ROUTE", "CONFIG-PATH-DEFAULT"],
    variant: "oddRoutes",
    reading: served,
    routes: oddIds,
  },
  {
    id: "CONFIG-TEXTS",
    title: "Paths, session keys, secrets and controllers work with unusual characters",
    clauses: ["SERVICE-ROUTE", "PATH-SERVED", "SESSION-BOUND", "AUTH-REQUIRED", "CONFIG-CONTROLLER"],
    variant: "oddRoutes",
    reading: `${served} How a header carries a secret beyond ASCII is open; what is not the secret is refused.`,
    routes: oddTexts,
    more: mustTakeNoOtherLetter,
  },
  {
    id: "CONFIG-TEXT-IDS",
    title: "A route id that its default path has to percent-encode is served by its own secret only",
    clauses: ["ENVELOPE-ROUTE-ID", "AUTH-REQUIRED", "CONFIG-CONTROLLER"],
    variant: "refusableIds",
    reading: servedOrNot,
    routes: refusableIds,
    mayBeLeftOut: true,
  },
  {
    id: "CONFIG-PATH-NESTED",
    title: "Routes below another one's path, with a numeric id or one secret are served as configured",
    clauses: ["SERVICE-ROUTE", "PATH-SERVED", "ENVELOPE-ROUTE-ID", "SESSION-BOUND"],
    variant: "oddRoutes",
    reading: `Each path is its own route's, routeId is a text, and a session is not known by a secret. ${servedOrNot}`,
    // Behind each the one whose path is above its own.
    routes: [nested[1], nested[0], nested[2], nested[3], digits, ...oneSecret],
    mayBeLeftOut: true,
  },
  {
    id: "CONFIG-FIELD-PAIRS",
    title: "Routes with several fields set are each served with their own path, secret and controller",
    clauses: ["SERVICE-ROUTE", "PATH-SERVED", "CONFIG-PATH-DEFAULT", "CONFIG-CONTROLLER", "CONFIG-DESCRIPTION"],
    variant: "pairedFields",
    reading:
      "Every field is valid by itself. The descriptions read like settings, two routes have each other's id as the last " +
      "segment of their paths, and four share a session with three controllers.",
    routes: pairedRoutes,
  },
];

export const routeCases: readonly Case[] = [
  {
    id: "CONFIG-PATH-CUSTOM",
    title: "A route with a `path` is served there and not at its default path",
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
    title: "A flow's controllerId is the route's configured one, or `webhooks/<routeId>`",
    clauses: ["CONFIG-CONTROLLER"],
    requests: 4,
    async run(trial) {
      await mustGetController(trial, trial.route, `webhooks/${trial.route.id}`);
      await mustGetController(trial, trial.special("customController"), specialRoutes.customController.controllerId);
    },
  },
  {
    id: "CONFIG-CONTROLLER-OVERRIDDEN",
    title: "A controllerId in the request takes precedence over the route's",
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
  {
    id: "CONFIG-NO-ROUTES",
    title: "Without routes the plugin serves nothing",
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
  ...texts.map(({ routes, mayBeLeftOut, more, ...about }): Case => ({
    ...about,
    requests: 6,
    async run(trial) {
      if (about.variant !== "pairedFields") await probeServed(trial);
      await mustBeAsConfigured(trial, routes, mayBeLeftOut);
      await more?.(trial);
    },
  })),
];
