/** Section 3: cancel_flow and request_cancel gone wrong. */
import { isActive } from "../../../../fakes/flow-store.ts";
import { accept } from "../../../../plugin/answer.ts";
import type { TaskRecord } from "../../../../plugin/ports.ts";
import { isPending, withEnvelope, withCall, withFlows, withOutcome } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

/** What cancel_flow is accepted with where the children are like this; undefined for no code. */
const codedWhere = (code: "cancel_pending" | undefined, fits: (tasks: readonly TaskRecord[]) => boolean): Change =>
  withOutcome("cancel_flow", (answer) => {
    const { tasks = [] } = answer.result as { tasks?: TaskRecord[] };
    return answer.ok && fits(tasks) ? accept(answer.result, code) : answer;
  });

const hasEnded = (task: TaskRecord | undefined): boolean => task !== undefined && !isActive(task);

export const cancellation: readonly Subject[] = [
  ...failing("STATES-CANCEL-CHILDREN", {
    "Only the first child is looked at": codedWhere(undefined, ([first]) => hasEnded(first)),
    "Only the last child is looked at": codedWhere(undefined, (tasks) => hasEnded(tasks.at(-1))),
  }),
  ...failing("CANCEL-ALONE-NOT-PENDING", {
    "cancel_flow answers 202 also without children": codedWhere("cancel_pending", () => true),
  }),
  ...failing("STATES-CANCEL-FLOW", {
    "cancel_flow cancels every flow of the session": withCall("cancel", async (input, flows) => {
      const result = await flows.cancel(input);
      if (result.cancelled) for (const { flowId } of await flows.list()) await flows.cancel({ flowId, cfg: {} });
      return result;
    }),
  }),
  ...failing("CANCEL-CHILD-ENDED", {
    "A child that has ended still counts as active": codedWhere("cancel_pending", (tasks) => tasks.length > 0),
  }),
  ...failing(["CANCEL-COMPLETES", "CANCEL-AGAIN-AFTER-CHILDREN"], {
    "The end of the last child shows a flow whose cancellation waited for it as queued again, and so it is asked for in vain":
      withFlows((flows) => {
        const pending = new Set<string>();
        return {
          get: async (flowId) => {
            const flow = await flows.get(flowId);
            return flow?.status === "cancelled" && pending.has(flowId) ? { ...flow, status: "queued" } : flow;
          },
          cancel: async (input) => {
            const result = await flows.cancel(input);
            if (isPending(result)) pending.add(input.flowId);
            return pending.has(input.flowId) ? { ...result, cancelled: false, code: "cancel_pending" } : result;
          },
        };
      }),
  }),
  ...failing("CANCEL-PENDING-CODE", {
    "The 202 of a pending cancellation has no code": withEnvelope((envelope, status) => {
      const { code: _code, ...rest } = envelope;
      return status === 202 ? rest : envelope;
    }),
  }),
];
