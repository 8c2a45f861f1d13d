/** State changes of a flow beyond the transitions that the interface states, and how much of a flow there may be. */
import { isTerminal } from "../../../fakes/flow-store.ts";
import { reject } from "../../../plugin/answer.ts";
import type { FlowRecord } from "../../../plugin/ports.ts";
import { withCall, withFlows, withStage } from "../changes.ts";
import { lawful, type Different } from "../subject.ts";

const at = ({ flowId, revision: expectedRevision }: FlowRecord) => ({ flowId, expectedRevision });

/** Cancelled flows, and after how many more reads each is done. Shared by all routes of a session. */
const cancelling = new Map<string, number>();

/** Active children of a flow, at most. */
const MOST_ACTIVE = 3;

export const transitions: readonly Different[] = lawful({
  "request_cancel cancels at once a flow without active children, and any other when the last of them ends": withCall(
    "requestCancel",
    async (input, flows) => {
      const asked = await flows.requestCancel(input);
      if (!asked.applied) return asked;
      const { flow = asked.flow } = await flows.cancel({ flowId: input.flowId, cfg: {} });
      return { applied: true, flow };
    },
  ),
  "a flow whose cancellation was asked for is cancelled a while later, by itself": withFlows((flows) => {
    const complete = async () => {
      for (const flow of await flows.list()) {
        if (flow.cancelRequestedAt === undefined || isTerminal(flow)) continue;
        const summary = await flows.getTaskSummary(flow.flowId);
        if (summary?.active === 0) await flows.cancel({ flowId: flow.flowId, cfg: {} });
      }
    };
    return {
      list: async () => (await complete(), flows.list()),
      findLatest: async () => (await complete(), flows.findLatest()),
    };
  }),
  "cancel_flow is answered 200 and done a moment later": withFlows((flows) => ({
    cancel: async (input) => {
      const flow = await flows.get(input.flowId);
      const summary = await flows.getTaskSummary(input.flowId);
      if (!flow || isTerminal(flow) || summary?.active !== 0) return flows.cancel(input);
      cancelling.set(flow.flowId, 3);
      return { found: true, cancelled: true, flow };
    },
    get: async (flowId) => {
      const looks = cancelling.get(flowId) ?? 0;
      if (looks > 0) cancelling.set(flowId, looks - 1);
      if (looks === 1) await flows.cancel({ flowId, cfg: {} });
      return flows.get(flowId);
    },
  })),
  "run_task in a blocked flow sets it going, and so does resume, where any other is queued": withFlows((flows) => ({
    resume: async (input) => {
      const flow = await flows.get(input.flowId);
      return flows.resume({ ...input, status: flow?.status === "blocked" ? "running" : "queued" });
    },
    runTask: async (input) => {
      const result = await flows.runTask(input);
      if (!result.created || result.flow.status !== "blocked") return result;
      const resumed = await flows.resume({ ...at(result.flow), status: "running" });
      return resumed.applied ? { ...result, flow: resumed.flow } : result;
    },
  })),
  "run_task looks at the state of the flow before it looks at runtime and task": withStage(
    "action",
    async (exchange, right) => {
      const { body = {}, context } = exchange;
      const { action, flowId, status } = body;
      const hasRunningOnly = ["startedAt", "lastEventAt", "progressSummary"].some((field) => field in body);
      if (action !== "run_task" || typeof flowId !== "string" || (hasRunningOnly && status !== "running"))
        return right();
      const flow = await context.flows.get(flowId);
      return flow && isTerminal(flow) ? reject("terminal") : right();
    },
  ),
  "what changes nothing keeps the revision: set_waiting of a flow that waits, request_cancel of any": withFlows(
    (flows) => ({
      setWaiting: async (input) => {
        const flow = await flows.get(input.flowId);
        const { flowId: _flowId, expectedRevision, ...more } = input;
        const isSame = flow?.status === "waiting" && flow.revision === expectedRevision;
        return flow && isSame && Object.keys(more).length === 0 ? { applied: true, flow } : flows.setWaiting(input);
      },
      requestCancel: async (input) => {
        const flow = await flows.get(input.flowId);
        const isOpen = flow?.revision === input.expectedRevision && flow.endedAt === undefined;
        return flow && isOpen ? { applied: true, flow } : flows.requestCancel(input);
      },
    }),
  ),
  [`a flow has ${MOST_ACTIVE} active children at most`]: withCall("runTask", async (input, flows) => {
    const summary = await flows.getTaskSummary(input.flowId);
    const isFull = summary && summary.active >= MOST_ACTIVE;
    return isFull ? { created: false, found: true, code: "task_not_created" } : flows.runTask(input);
  }),
});
