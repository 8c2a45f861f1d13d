/** Section 3: cancel_flow and request_cancel gone wrong. */
import { isActive } from "../../../../fakes/flow-store.ts";
import type { Answer } from "../../../../plugin/answer.ts";
import type { TaskRecord } from "../../../../plugin/ports.ts";
import { isPending, withEnvelope, withFlows, withOutcome, withViews } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

/** The code that a cancellation is answered with; undefined for none. */
const withCode = ({ code: _code, ...answer }: Answer, code?: Answer["code"]): Answer =>
  code === undefined ? answer : { ...answer, code };

/** Answers a pending cancellation as a complete one. */
const completeWhere = (complete: (tasks: readonly TaskRecord[]) => boolean): Change =>
  withOutcome("cancel_flow", (answer) => {
    const { tasks = [] } = answer.result as { tasks?: TaskRecord[] };
    return answer.code === "cancel_pending" && complete(tasks) ? withCode(answer) : answer;
  });

export const cancellation: readonly Subject[] = subjectsOf<Subject>({
  "cancel-first-child-only": {
    bug: "Only the first child is looked at.",
    kills: ["STATES-CANCEL-CHILDREN"],
    change: completeWhere(([first]) => first !== undefined && !isActive(first)),
  },
  "cancel-last-child-only": {
    bug: "Only the last child is looked at.",
    kills: ["STATES-CANCEL-CHILDREN"],
    change: completeWhere((tasks) => tasks.slice(-1).some((last) => !isActive(last))),
  },
  "cancel-always-202": {
    bug: "cancel_flow answers 202 also without children.",
    kills: ["CANCEL-ALONE-NOT-PENDING"],
    change: withOutcome("cancel_flow", (answer) => (answer.ok ? withCode(answer, "cancel_pending") : answer)),
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
    change: withOutcome("cancel_flow", (answer) => {
      const { tasks = [] } = answer.result as { tasks?: TaskRecord[] };
      return answer.ok && tasks.length > 0 ? withCode(answer, "cancel_pending") : answer;
    }),
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
    change: withViews((views) => ({
      flow: (flow) => {
        const asked = flow.cancelRequestedAt !== undefined && flow.status === "waiting";
        return views.flow(asked ? { ...flow, status: "cancelling" } : flow);
      },
    })),
  },
});
