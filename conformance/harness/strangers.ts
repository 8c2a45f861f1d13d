/** What a stranger, a route of another session, may not be shown. */
import { getFlow, resolveFlow, type FlowAt } from "../interface/bodies.ts";
import type { ActionName } from "../interface/fields.ts";
import type { ActionBody } from "../interface/request.ts";
import { describe, textOf, type Exchange } from "../http/exchange.ts";
import { check } from "./checks.ts";
import { shows } from "./flows.ts";
import type { Trial } from "./trial.ts";

/** Fails where an answer to a stranger shows the flow or its goal. */
export function mustNotShow(exchange: Exchange, flow: FlowAt, goal: string): void {
  check(exchange.answer !== undefined, "an answer without the flow", describe(exchange), exchange);
  check(!shows(exchange, flow.flowId), "no flow of another session", "the flow", exchange);
  const text = exchange.answer === undefined ? "" : textOf(exchange.answer);
  check(!text.includes(goal), "nothing of a flow of another session", "its goal", exchange);
}

interface Read {
  readonly action: ActionName;
  body(trial: Trial, flowId: string): ActionBody;
}

export const readsByIdentity: readonly Read[] = [
  { action: "get_flow", body: (trial, flowId) => getFlow(flowId, trial.profile.fields) },
  { action: "resolve_flow", body: (trial, flowId) => resolveFlow(flowId, trial.profile.fields) },
  { action: "list_flows", body: () => ({ action: "list_flows" }) },
  { action: "find_latest_flow", body: () => ({ action: "find_latest_flow" }) },
];
