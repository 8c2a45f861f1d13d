/** Section 3: cancel_flow and request_cancel gone wrong. */
import { isActive } from "../../../../fakes/flow-store.ts";
import { accept } from "../../../../plugin/answer.ts";
import type { TaskRecord } from "../../../../plugin/ports.ts";
import { isPending, withEnvelope, withFlows, withFlowShown, withOutcome } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

/** What cancel_flow is accepted with where the children are like this; undefined for no code. */
const codedWhere = (code: "cancel_pending" | undefined, fits: (tasks: readonly TaskRecord[]) => boolean): Change =>
  withOutcome("cancel_flow", (answer) => {
    const { tasks = [] } = answer.result as { tasks?: TaskRecord[] };
    return answer.ok && fits(tasks) ? accept(answer.result, code) : answer;
  });

const hasEnded = (task: TaskRecord | undefined): boolean => task !== undefined && !isActive(task);

export const cancellation: readonly Subject[] = subjectsOf<Subject>({
  "cancel-first-child-only": {
    bug: "Only the first child is looked at.",
    kills: ["STATES-CANCEL-CHILDREN"],
    change: codedWhere(undefined, ([first]) => hasEnded(first)),
  },
  "cancel-last-child-only": {
    bug: "Only the last child is looked at.",
    kills: ["STATES-CANCEL-CHILDREN"],
    change: codedWhere(undefined, (tasks) => hasEnded(tasks.at(-1))),
  },
  "cancel-always-202": {
    bug: "cancel_flow answers 202 also without children.",
    kills: ["CANCEL-ALONE-NOT-PENDING"],
    change: codedWhere("cancel_pending", () => true),
  },
  "cancel-whole-session": {
    bug: "cancel_flow cancels every flow of the session.",
    kills: ["STATES-CANCEL-FLOW"],
    change: withFlows((flows) => ({
      cancel: async (input) => {
        const result = await flows.cancel(input);
        if (result.cancelled) for (const { flowId } of await flows.list()) await flows.cancel({ flowId, cfg: {} });
        return result;
      },
    })),
  },
  "cancel-ended-child-active": {
    bug: "A child that has ended still counts as active.",
    kills: ["CANCEL-CHILD-ENDED"],
    change: codedWhere("cancel_pending", (tasks) => tasks.length > 0),
  },
  "cancel-never-completes": {
    bug: "A pending cancellation stays pending when the last child has ended, and says so when it is asked for again.",
    kills: ["CANCEL-COMPLETES", "CANCEL-AGAIN-AFTER-CHILDREN"],
    change: withFlows((flows) => {
      const pending = new Set<string>();
      return {
        get: async (flowId) => {
          const flow = await flows.get(flowId);
          return flow && pending.has(flowId) ? { ...flow, status: "queued" } : flow;
        },
        cancel: async (input) => {
          const result = await flows.cancel(input);
          if (isPending(result)) pending.add(input.flowId);
          return pending.has(input.flowId) ? { ...result, cancelled: false, code: "cancel_pending" } : result;
        },
      };
    }),
  },
  "cancel-pending-without-code": {
    bug: "The 202 of a pending cancellation has no code.",
    kills: ["CANCEL-PENDING-CODE"],
    change: withEnvelope((envelope, status) => {
      const { code: _code, ...rest } = envelope;
      return status === 202 ? rest : envelope;
    }),
  },
  "request-cancel-blocks": {
    bug: "request_cancel changes the flow's status.",
    kills: ["CANCEL-REQUEST-KEEPS-STATUS"],
    change: withFlowShown((flow) => {
      const isAsked = flow.cancelRequestedAt !== undefined && flow.status === "waiting";
      return isAsked ? { ...flow, status: "cancelling" } : flow;
    }),
  },
});
