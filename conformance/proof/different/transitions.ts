/** State changes of flows and of their children beyond those that the interface states, and how many there may be. */
import { isTerminal } from "../../../fakes/flow-store.ts";
import { reject } from "../../../plugin/answer.ts";
import type { BoundFlows, FlowRecord, Json } from "../../../plugin/ports.ts";
import { perStart, together, withCall, withRequest, withStage, withFlows } from "../changes.ts";
import { at, touch } from "../runtime.ts";
import { lawful, type Change, type Different } from "../subject.ts";

const isEarlier = (one: Json | undefined, other: Json | undefined): boolean =>
  typeof one === "number" && typeof other === "number" && one < other;

const isWaiting = ({ status }: FlowRecord): boolean => status === "waiting" || status === "blocked";

/**
 * Children end by themselves at the `life`th request to their session from now on, or as the control port says; `ended`
 * then changes their flow, as `started` does when they begin.
 */
const shortLived = (
  life: number,
  ended: (flows: BoundFlows, flow: FlowRecord, left: number) => Promise<unknown>,
  started: (flows: BoundFlows, flow: FlowRecord) => Promise<FlowRecord> = async (_flows, flow) => flow,
): Change =>
  perStart(({ settle }) => {
    /** Every route of a session has the same children. */
    const living = new Set<{ sessionKey: string; flowId: string; taskId: string; left: number }>();
    const pass = async (flows: BoundFlows) => {
      for (const child of living) {
        const { flowId, taskId, sessionKey } = child;
        if (sessionKey !== flows.sessionKey) continue;
        // A child that the control port ended ends at once.
        const known = [...living].filter((one) => one.flowId === flowId).length;
        const { active = 0 } = (await flows.getTaskSummary(flowId)) ?? {};
        if (active >= known && (child.left -= 1) > 0) continue;
        living.delete(child);
        if (active >= known) settle({ flowId, taskId, status: "succeeded" });
        const flow = await flows.get(flowId);
        const left = (await flows.getTaskSummary(flowId))?.active ?? 0;
        if (flow) await ended(flows, flow, left);
      }
    };
    return together(
      withRequest(async (body, { flows }) => {
        await pass(flows);
        return body;
      }),
      withCall("runTask", async (input, flows) => {
        const result = await flows.runTask(input);
        if (!result.created) return result;
        const { sessionKey } = flows;
        living.add({ sessionKey, flowId: input.flowId, taskId: result.task.taskId, left: life });
        return { ...result, flow: await started(flows, result.flow) };
      }),
    );
  });

/** Cancelled flows, and after how many more reads each is done. Shared by all routes of a session. */
const cancelling = new Map<string, number>();

/** Active children of a flow, at most. */
const MOST_ACTIVE = 3;

export const transitions: readonly Different[] = [
  ...lawful({
    "which children a summary counts as active: those that are running": withCall(
      "getTaskSummary",
      async (flowId, flows) => {
        const summary = await flows.getTaskSummary(flowId);
        return summary && { ...summary, active: summary.byStatus["running"] ?? 0 };
      },
    ),
    "what becomes of the children of a flow that ends: they end too": withCall(
      "getTaskSummary",
      async (flowId, flows) => {
        const summary = await flows.getTaskSummary(flowId);
        const flow = await flows.get(flowId);
        const isOver = flow?.endedAt !== undefined && flow.status !== "cancelled";
        return summary && isOver ? { ...summary, active: 0, terminal: summary.total } : summary;
      },
    ),
    "children end by themselves while requests go on, and their flow stays as it is": shortLived(20, async () => {}),
    "children end by themselves while requests go on, and each end is a change of their flow": shortLived(2, touch),
    "a flow waits for its children, and goes on when they have ended": shortLived(
      Number.POSITIVE_INFINITY,
      async (flows, flow, left) => (left === 0 && isWaiting(flow) ? flows.resume(at(flow)) : undefined),
      async (flows, flow) => {
        const waiting = flow.status === "queued" ? await flows.setWaiting(at(flow)) : undefined;
        return waiting?.applied === true ? waiting.flow : flow;
      },
    ),
    "null in run_task: as good as a field that is not sent": withRequest((body) =>
      body["action"] === "run_task" && body["status"] !== "running"
        ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
        : body,
    ),
  }),
  ...lawful({
    "values of run_task that the interface does not describe: times above zero, in order": withStage(
      "action",
      (exchange, right) => {
        const { action, startedAt, lastEventAt } = exchange.body ?? {};
        const isOdd = startedAt === 0 || lastEventAt === 0 || isEarlier(lastEventAt, startedAt);
        return action === "run_task" && isOdd ? reject("invalid_request") : right();
      },
    ),
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
  }),
];
