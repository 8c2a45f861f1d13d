/** State changes of a flow beyond the transitions that the interface states. */
import { isTerminal } from "../../../fakes/flow-store.ts";
import { reject } from "../../../plugin/answer.ts";
import type { BoundFlows, FlowRecord } from "../../../plugin/ports.ts";
import { withFlows, withStage } from "../changes.ts";
import { subjectsOf, type Change, type Different } from "../subject.ts";

const isWaiting = ({ status }: FlowRecord): boolean => status === "waiting" || status === "blocked";
const at = ({ flowId, revision: expectedRevision }: FlowRecord) => ({ flowId, expectedRevision });

/** By session, shared by its routes: flows, and how many of their children had ended when last checked. */
type Parents = Map<string, Map<string, number>>;

/** Before each call to a session, the ends of children change their flows. */
const onChildEnd = (
  parents: Parents,
  ended: (flows: BoundFlows, flow: FlowRecord, left: number) => Promise<unknown>,
  started: (flows: BoundFlows, flow: FlowRecord) => Promise<FlowRecord> = async (_flows, flow) => flow,
): Change =>
  withFlows((flows) => {
    const own = parents.get(flows.sessionKey) ?? new Map<string, number>();
    parents.set(flows.sessionKey, own);
    const look = async () => {
      for (const [flowId, before] of own) {
        const summary = await flows.getTaskSummary(flowId);
        const flow = await flows.get(flowId);
        if (!summary || !flow || summary.terminal === before) continue;
        own.set(flowId, summary.terminal);
        if (!isTerminal(flow)) await ended(flows, flow, summary.active);
      }
    };
    const looking = <Input extends unknown[], Answer>(method: (...input: Input) => Answer | Promise<Answer>) => {
      return async (...input: Input): Promise<Answer> => {
        await look();
        return method(...input);
      };
    };
    const { get, list, findLatest, resolve, getTaskSummary, setWaiting, resume, finish, fail, requestCancel } = flows;
    return {
      get: looking(get),
      list: looking(list),
      findLatest: looking(findLatest),
      resolve: looking(resolve),
      getTaskSummary: looking(getTaskSummary),
      setWaiting: looking(setWaiting),
      resume: looking(resume),
      finish: looking(finish),
      fail: looking(fail),
      requestCancel: looking(requestCancel),
      runTask: async (input) => {
        await look();
        const result = await flows.runTask(input);
        if (!result.created) return result;
        const { terminal = 0 } = (await flows.getTaskSummary(input.flowId)) ?? {};
        own.set(input.flowId, terminal);
        return { ...result, flow: await started(flows, result.flow) };
      },
    };
  });

/** A spontaneous change of a flow that keeps its state. */
async function touch(flows: BoundFlows, flow: FlowRecord): Promise<void> {
  const waiting = flow.status === "queued" ? await flows.setWaiting(at(flow)) : undefined;
  if (waiting?.applied === true) await flows.resume(at(waiting.flow));
}

const sleepers: Parents = new Map();
const parents: Parents = new Map();

/** Cancelled flows, and after how many more reads each is done. Shared by all routes of a session. */
const cancelling = new Map<string, number>();

export const transitions: readonly Different[] = subjectsOf<Different>({
  "request-cancel-cancels": {
    freedom: "request_cancel cancels at once a flow without active children, and any other when the last of them ends",
    change: withFlows((flows) => ({
      requestCancel: async (input) => {
        const asked = await flows.requestCancel(input);
        if (!asked.applied) return asked;
        const { flow = asked.flow } = await flows.cancel({ flowId: input.flowId, cfg: {} });
        return { applied: true, flow };
      },
    })),
  },
  "asked-cancelled-later": {
    freedom: "a flow whose cancellation was asked for is cancelled a while later, by itself",
    change: withFlows((flows) => {
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
  },
  "cancel-done-later": {
    freedom: "cancel_flow is answered 200 and done a moment later",
    change: withFlows((flows) => ({
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
  },
  "task-resumes": {
    freedom: "run_task in a blocked flow sets it going",
    change: withFlows((flows) => ({
      runTask: async (input) => {
        const result = await flows.runTask(input);
        if (!result.created || result.flow.status !== "blocked") return result;
        const resumed = await flows.resume({ ...at(result.flow), status: "running" });
        return resumed.applied ? { ...result, flow: resumed.flow } : result;
      },
    })),
  },
  "waits-for-children": {
    freedom: "a flow waits for its children, and goes on when they have ended",
    change: onChildEnd(
      sleepers,
      async (flows, flow, left) => (left === 0 && isWaiting(flow) ? flows.resume(at(flow)) : undefined),
      async (flows, flow) => {
        const waiting = flow.status === "queued" ? await flows.setWaiting(at(flow)) : undefined;
        return waiting?.applied === true ? waiting.flow : flow;
      },
    ),
  },
  "child-end-advances-revision": {
    freedom: "the end of a child is a change of its flow",
    change: onChildEnd(parents, touch),
  },
  "resumed-as-before": {
    freedom: "the status after resume: another one for a flow that was blocked",
    change: withFlows((flows) => ({
      resume: async (input) => {
        const flow = await flows.get(input.flowId);
        return flows.resume({ ...input, status: flow?.status === "blocked" ? "running" : "queued" });
      },
    })),
  },
  "ended-before-fields": {
    freedom: "run_task looks at the state of the flow before it looks at runtime and task",
    change: withStage("action", ({ run }) => async (exchange) => {
      const { body = {}, context } = exchange;
      const { action, flowId, status } = body;
      const hasRunningOnly = ["startedAt", "lastEventAt", "progressSummary"].some((field) => field in body);
      if (action !== "run_task" || typeof flowId !== "string" || (hasRunningOnly && status !== "running"))
        return run(exchange);
      const flow = await context.flows.get(flowId);
      return flow && isTerminal(flow) ? reject("terminal") : run(exchange);
    }),
  },
});
