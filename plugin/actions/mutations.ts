import { z } from "zod";
import { accept, reject } from "../answer.ts";
import type { Answer } from "../answer.ts";
import { rejectionCode } from "../codes.ts";
import type { RouteContext } from "../contract.ts";
import type { BoundFlows, FlowRecord, MaybePromise, MutationResult, RevisionInput } from "../ports.ts";
import { defineAction } from "./action.ts";
import { atRevision, clearableText, json, oneOf } from "./fields.ts";
import { objection } from "./flow-state.ts";

function rejectMutation(code: string | undefined, current: FlowRecord | undefined, { parts }: RouteContext): Answer {
  const result = current ? { applied: false, current: parts.views.flow(current) } : { applied: false };
  return reject(rejectionCode(code, "mutation_rejected"), { result });
}

/**
 * Changes a flow at a revision; `from`: the statuses that the flow must be in. Not every runtime checks the status, so
 * the flow is read first; the runtime's own check of the revision makes the two steps atomic. A flow that is absent or
 * not managed is left to the runtime to refuse.
 */
async function mutate<Input extends RevisionInput>(
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

const blocked = { blockedTaskId: clearableText, blockedSummary: clearableText };

export const setWaiting = defineAction({
  name: "set_waiting",
  schema: z.strictObject({ ...atRevision, currentStep: clearableText, stateJson: json, waitJson: json, ...blocked }),
  run: (fields, context) => mutate(context, fields, (flows, input) => flows.setWaiting(input)),
});

export const resumeFlow = defineAction({
  name: "resume_flow",
  schema: z.strictObject({
    ...atRevision,
    status: oneOf("queued", "running").exactOptional(),
    currentStep: clearableText,
    stateJson: json,
  }),
  run: (fields, context) => mutate(context, fields, (flows, input) => flows.resume(input), ["waiting", "blocked"]),
});

export const finishFlow = defineAction({
  name: "finish_flow",
  schema: z.strictObject({ ...atRevision, stateJson: json }),
  run: (fields, context) => mutate(context, fields, (flows, input) => flows.finish(input)),
});

export const failFlow = defineAction({
  name: "fail_flow",
  schema: z.strictObject({ ...atRevision, stateJson: json, ...blocked }),
  run: (fields, context) => mutate(context, fields, (flows, input) => flows.fail(input)),
});

export const requestCancel = defineAction({
  name: "request_cancel",
  schema: z.strictObject(atRevision),
  run: (fields, context) => mutate(context, fields, (flows, input) => flows.requestCancel(input)),
});
