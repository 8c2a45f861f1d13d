import { z } from "zod";
import { accept, reject } from "../answer.ts";
import type { Answer } from "../answer.ts";
import { rejectionCode } from "../codes.ts";
import type { RouteContext } from "../contract.ts";
import type { CancelResult, TaskRecord } from "../ports.ts";
import { defineAction } from "./action.ts";
import { revision, text } from "./fields.ts";
import { fitting } from "./fitting.ts";
import { codeOfRefusal, hasEnded, isCancelRequested, isWriteFailure, objection } from "./flow-state.ts";

const isActive = (task: TaskRecord): boolean => task.status === "queued" || task.status === "running";

function isPending({ code, reason, flow, tasks = [] }: CancelResult): boolean {
  if (code !== undefined) return code === "cancel_pending";
  if (flow === undefined || hasEnded(flow) || isWriteFailure(reason)) return false;
  return isCancelRequested(flow) && tasks.some(isActive);
}

function outcome(result: CancelResult, { parts }: RouteContext): Answer {
  const { found, cancelled, flow, tasks } = result;
  const view = {
    found,
    cancelled,
    ...(flow && { flow: parts.views.flow(flow) }),
    ...(tasks && { tasks: fitting(tasks, parts.views.task, parts.limits.listedBytes) }),
  };
  if (cancelled) return accept(view);
  if (found && isPending(result)) return accept(view, "cancel_pending");
  return reject(rejectionCode(result.code, codeOfRefusal(result, "cancel_rejected")), { result: view });
}

export const cancelFlow = defineAction({
  name: "cancel_flow",
  schema: z.strictObject({ flowId: text, expectedRevision: revision.exactOptional() }),
  // Not every runtime's cancel looks at the revision or the status, so the flow is read first. Where the runtime answers
  // directly no other request comes between the two steps.
  async run(fields, context) {
    const flow = await context.flows.get(fields.flowId);
    if (flow?.syncMode === "managed") {
      const code = objection(flow, fields.expectedRevision);
      if (code !== undefined) return outcome({ found: true, cancelled: false, code, flow }, context);
    }
    return outcome(await context.flows.cancel({ ...fields, cfg: context.cfg }), context);
  },
});
