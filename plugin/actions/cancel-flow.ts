import { z } from "zod";
import { accept, reject } from "../answer.ts";
import type { Answer } from "../answer.ts";
import { rejectionCode } from "../codes.ts";
import type { Code } from "../codes.ts";
import type { RouteContext } from "../contract.ts";
import type { CancelResult, TaskRecord } from "../ports.ts";
import { defineAction } from "./action.ts";
import { revision, text } from "./fields.ts";
import { fitting } from "./fitting.ts";
import { hasEnded, isCancelRequested, objection } from "./flow-state.ts";

const isActive = (task: TaskRecord): boolean => task.status === "queued" || task.status === "running";

function isPending({ code, flow, tasks = [] }: CancelResult): boolean {
  if (code !== undefined) return code === "cancel_pending";
  return flow !== undefined && isCancelRequested(flow) && !hasEnded(flow) && tasks.some(isActive);
}

function rejectionOf({ found, code, flow }: CancelResult): Code {
  if (!found) return rejectionCode(code, "not_found");
  return rejectionCode(code, flow && hasEnded(flow) ? "terminal" : "cancel_rejected");
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
  return reject(rejectionOf(result), { result: view });
}

export const cancelFlow = defineAction({
  name: "cancel_flow",
  schema: z.strictObject({ flowId: text, expectedRevision: revision.exactOptional() }),
  async run(fields, context) {
    const flow = await context.flows.get(fields.flowId);
    if (flow?.syncMode === "managed") {
      const code = objection(flow, fields.expectedRevision);
      if (code !== undefined) return outcome({ found: true, cancelled: false, code, flow }, context);
    }
    return outcome(await context.flows.cancel({ ...fields, cfg: context.cfg }), context);
  },
});
