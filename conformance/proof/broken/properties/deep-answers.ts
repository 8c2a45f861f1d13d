/** Faults after a refusal that show only together with other requests. */
import { reject } from "../../../../plugin/answer.ts";
import type { Json } from "../../../../plugin/ports.ts";
import { withStage } from "../../changes.ts";
import type { Change } from "../../subject.ts";

const text = (value: Json | undefined, otherwise: string): string => (typeof value === "string" ? value : otherwise);

/** The second run_task of a flow that its fields make wrong is stored before it is refused. */
export function refusedTaskStored(): Change {
  const refused = new Set<string>();
  return withStage("action", ({ run }) => async (exchange) => {
    const outcome = await run(exchange);
    const { body = {}, context } = exchange;
    const { action, flowId, task } = body;
    const isWrong = typeof outcome === "object" && outcome.code === "invalid_request";
    if (action !== "run_task" || typeof flowId !== "string" || !isWrong) return outcome;
    if (refused.has(flowId)) await context.flows.runTask({ flowId, runtime: "acp", task: text(task, "kept") });
    refused.add(flowId);
    return outcome;
  });
}

/** set_waiting of a flow whose cancellation was asked for is refused while the flow's revision is even. */
export const askedFlowsByTurns: Change = withStage("action", ({ run }) => async (exchange) => {
  const { body = {}, context } = exchange;
  const { action, flowId, expectedRevision } = body;
  if (action !== "set_waiting" || typeof flowId !== "string") return run(exchange);
  const flow = await context.flows.get(flowId);
  const isAsked = flow?.cancelRequestedAt !== undefined && flow.revision === expectedRevision && !flow.endedAt;
  return isAsked && flow.revision % 2 === 0 ? reject("cancel_requested") : run(exchange);
});
