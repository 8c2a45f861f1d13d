import { accept, reject } from "../answer.ts";
import type { Answer } from "../answer.ts";
import { rejectionCode } from "../codes.ts";
import type { RouteContext } from "../contract.ts";
import { objection } from "./flow-state.ts";
import type { BoundFlows, FlowRecord, MaybePromise, MutationResult, RevisionInput } from "../ports.ts";

function rejectMutation(code: string | undefined, current: FlowRecord | undefined, { parts }: RouteContext): Answer {
  const result = current ? { applied: false, current: parts.views.flow(current) } : { applied: false };
  return reject(rejectionCode(code, "mutation_rejected"), { result });
}

/**
 * Changes a flow at a revision; `from`: the statuses it must be in. Not every runtime checks the state, so it is read
 * first; the runtime's own check of the revision makes the two steps one. A flow that is absent or not managed is left
 * to the runtime to refuse.
 */
export async function mutate<Input extends RevisionInput>(
  context: RouteContext,
  input: Input,
  change: (flows: BoundFlows, input: Input) => MaybePromise<MutationResult>,
  from?: readonly string[],
): Promise<Answer> {
  const flow = await context.flows.get(input.flowId);
  if (flow?.syncMode === "managed") {
    const code = objection(flow, input.expectedRevision, from);
    if (code !== undefined) return rejectMutation(code, flow, context);
  }
  const result = await change(context.flows, input);
  if (!result.applied) return rejectMutation(result.code, result.current, context);
  return accept({ applied: true, flow: context.parts.views.flow(result.flow) });
}
