/** Whether routes are served: an answer at a path without a route may not come in the name of one. */
import { createFlow } from "../interface/bodies.ts";
import { describe, envelopeOf, isAccepted, type Exchange } from "../http/exchange.ts";
import { variants } from "../targets/variants.ts";
import { NotApplicable } from "./case-errors.ts";
import { check, mustNotAccept } from "./checks.ts";
import type { Trial } from "./trial.ts";

/** The routes of every configuration, and one that nobody configured and that its path would name. */
const routeIds: ReadonlySet<string> = new Set([
  ...Object.values(variants).flatMap(({ routes }) => routes.map(({ id }) => id)),
  "default",
]);

/** Nothing is served: neither accepted nor answered in the name of a route. */
export function mustNotServe(exchange: Exchange): void {
  mustNotAccept(exchange, "the gateway's answer to an unknown path");
  const { ok, routeId } = envelopeOf(exchange) ?? {};
  // A gateway may give all its answers the envelope's shape, with a word of its own for no route.
  const named = typeof ok === "boolean" && typeof routeId === "string" && routeIds.has(routeId);
  check(!named, "the gateway's answer to an unknown path", "an envelope with a routeId", exchange);
}

/** The probe route is valid: where it is not served, the target refused the whole configuration, and nothing can be seen. */
export async function probeServed(trial: Trial): Promise<void> {
  const exchange = await trial.post(createFlow(), trial.special("probe"));
  if (isAccepted(exchange)) return;
  check(exchange.answer !== undefined, "a gateway that answers", describe(exchange), exchange);
  throw new NotApplicable("the target serves no route at all with this configuration");
}
