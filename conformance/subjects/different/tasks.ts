/** Tasks and their summaries where the interface leaves it open. */
import { reject } from "../../../plugin/answer.ts";
import type { Json } from "../../../plugin/ports.ts";
import { withFlows, withRequest, withStage } from "../changes.ts";
import { subjectsOf, type Different } from "../subject.ts";

const isEarlier = (one: Json | undefined, other: Json | undefined): boolean =>
  typeof one === "number" && typeof other === "number" && one < other;

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
        const isOver = flow?.status === "finished" || flow?.status === "failed";
        return summary && isOver ? { ...summary, active: 0, terminal: summary.total } : summary;
      },
    })),
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
