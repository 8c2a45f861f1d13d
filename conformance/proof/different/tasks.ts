/** Freedoms in tasks and their summaries. */
import { reject } from "../../../plugin/answer.ts";
import type { BoundFlows, FlowRecord, Json } from "../../../plugin/ports.ts";
import { withFlows, withRequest, withStage, perStart } from "../changes.ts";
import { subjectsOf, type Change, type Different } from "../subject.ts";

const isEarlier = (one: Json | undefined, other: Json | undefined): boolean =>
  typeof one === "number" && typeof other === "number" && one < other;

/** A change of a flow that changes only its revision. */
async function touch(flows: BoundFlows, { flowId, revision, status, blockedSummary }: FlowRecord): Promise<void> {
  const at = { flowId, expectedRevision: revision };
  if (status === "blocked" && blockedSummary !== undefined) await flows.setWaiting({ ...at, blockedSummary });
  if (status === "waiting") await flows.setWaiting(at);
  if (status !== "queued") return;
  const waiting = await flows.setWaiting(at);
  if (waiting.applied) await flows.resume({ flowId, expectedRevision: waiting.flow.revision });
}

/** Children end by themselves after `life` more calls to their session; `ended` then changes their flow. */
const shortLived = (life: number, ended: (flows: BoundFlows, flow: FlowRecord) => Promise<void>): Change =>
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
        if (flow) await ended(flows, flow);
      }
    };
    return withFlows((flows) => {
      const passing = Object.entries(flows).map(([name, method]: [string, unknown]) => [
        name,
        typeof method !== "function"
          ? method
          : async (...input: unknown[]): Promise<unknown> => {
              await pass(flows);
              return method(...input);
            },
      ]);
      return {
        ...(Object.fromEntries(passing) as BoundFlows),
        runTask: async (input) => {
          await pass(flows);
          const result = await flows.runTask(input);
          const { sessionKey } = flows;
          const { flowId } = input;
          if (result.created) living.add({ sessionKey, flowId, taskId: result.task.taskId, left: life });
          return result;
        },
      };
    });
  });

const wantsChild: Change = withStage("action", ({ run }) => (exchange) => {
  const { action, childSessionKey } = exchange.body ?? {};
  return action === "run_task" && childSessionKey === undefined ? reject("invalid_request") : run(exchange);
});

export const tasks: readonly Different[] = subjectsOf<Different>({
  "active-is-running": {
    freedom: "which children a summary counts as active: those that are running",
    change: withFlows((flows) => ({
      getTaskSummary: async (flowId) => {
        const summary = await flows.getTaskSummary(flowId);
        return summary && { ...summary, active: summary.byStatus["running"] ?? 0 };
      },
    })),
  },
  "children-end-with-flow": {
    freedom: "what becomes of the children of a flow that ends: they end too",
    change: withFlows((flows) => ({
      getTaskSummary: async (flowId) => {
        const summary = await flows.getTaskSummary(flowId);
        const flow = await flows.get(flowId);
        const isOver = flow?.endedAt !== undefined && flow.status !== "cancelled";
        return summary && isOver ? { ...summary, active: 0, terminal: summary.total } : summary;
      },
    })),
  },
  "children-end-by-themselves": {
    freedom: "children end by themselves while requests go on, and their flow stays as it is",
    change: shortLived(40, async () => {}),
  },
  "children-advance-revision-by-themselves": {
    freedom: "children end by themselves while requests go on, and each end is a change of their flow",
    change: shortLived(4, touch),
  },
  "task-names-child": { freedom: "run_task has to name the child's session", change: wantsChild },
  "task-names-child-by-profile": {
    freedom: "the same, judged with the reference profile, which leaves it open too",
    profile: "reference",
    change: wantsChild,
  },
  "task-null-is-absent": {
    freedom: "null in run_task: as good as a field that is not sent",
    change: withRequest((body) =>
      body["action"] === "run_task" && body["status"] !== "running"
        ? Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null))
        : body,
    ),
  },
  "task-fields-lenient": {
    freedom:
      "values of run_task that the interface does not describe: a task that is a number, times above zero in order",
    warns: ["FIELD-TYPES"],
    change: withStage("action", ({ run }) => (exchange) => {
      const { body = {} } = exchange;
      const { action, task, startedAt, lastEventAt } = body;
      if (action !== "run_task") return run(exchange);
      if (startedAt === 0 || lastEventAt === 0 || isEarlier(lastEventAt, startedAt)) return reject("invalid_request");
      const isScalar = typeof task === "number" || typeof task === "boolean";
      return run(isScalar ? { ...exchange, body: { ...body, task: String(task) } } : exchange);
    }),
  },
});
