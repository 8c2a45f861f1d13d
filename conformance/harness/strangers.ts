/** What a stranger, a route of another session, may not be shown. */
import type { FlowAt } from "../interface/bodies.ts";
import { describe, textOf, type Exchange } from "../http/exchange.ts";
import { check } from "./checks.ts";
import { shows } from "./flows.ts";

/** Fails where an answer to a stranger shows the flow or its goal. */
export function mustNotShow(exchange: Exchange, flow: FlowAt, goal: string): void {
  check(exchange.answer !== undefined, "an answer without the flow", describe(exchange), exchange);
  check(!shows(exchange, flow.flowId), "no flow of another session", "the flow", exchange);
  const text = exchange.answer === undefined ? "" : textOf(exchange.answer);
  check(!text.includes(goal), "nothing of a flow of another session", "its goal", exchange);
}
