/** Paths at which no route is: who answers there answers in no route's name. */
import { check } from "./checks.ts";
import { describe, envelopeOf, isAccepted, type Exchange } from "../http/exchange.ts";
import { variants } from "../targets/variants.ts";

/** The routes of every configuration, and one that nobody configured and that its path would name. */
const routeIds: ReadonlySet<string> = new Set([
  ...Object.values(variants).flatMap(({ routes }) => routes.map(({ id }) => id)),
  "default",
]);

/** Nothing is served: neither accepted nor answered in the name of a route. */
export function mustNotServe(exchange: Exchange): void {
  const nobody = exchange.answer !== undefined && !isAccepted(exchange);
  check(nobody, "the gateway's answer to an unknown path", describe(exchange), exchange);
  const { ok, routeId } = envelopeOf(exchange) ?? {};
  // A gateway may give all its answers the envelope's shape, with a word of its own for no route.
  const named = typeof ok === "boolean" && typeof routeId === "string" && routeIds.has(routeId);
  check(!named, "the gateway's answer to an unknown path", "an envelope with a routeId", exchange);
}
