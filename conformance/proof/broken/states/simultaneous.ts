/** Sections 3 and 4: simultaneous requests that are merged, or of which one is lost. */
import { setImmediate as turn } from "node:timers/promises";
import type { BoundFlows } from "../../../../plugin/ports.ts";
import { withFlows, perStart } from "../../changes.ts";
import { subjectsOf, type Subject } from "../../subject.ts";

type Created = Awaited<ReturnType<BoundFlows["tryCreateManaged"]>>;

export const simultaneous: readonly Subject[] = subjectsOf<Subject>({
  "create-merged": {
    bug: "Flows that a route creates within one turn of the event loop are one flow.",
    kills: ["ACTION-CREATE-FLOW-AT-ONCE"],
    change: withFlows((flows) => {
      let pending: Promise<Created> | undefined;
      const create = async (input: Parameters<BoundFlows["tryCreateManaged"]>[0]): Promise<Created> => {
        for (let turns = 0; turns < 20; turns += 1) await turn();
        pending = undefined;
        return flows.tryCreateManaged(input);
      };
      return { tryCreateManaged: (input) => (pending ??= create(input)) };
    }),
  },
  "task-count-overwritten": {
    bug: "The number of tasks is read, and written back when the task is stored: of two at the same time one is lost.",
    kills: ["RUN-TASK-AT-ONCE"],
    change: perStart(() => {
      const totals = new Map<string, number>();
      return withFlows((flows) => ({
        runTask: async (input) => {
          const before = totals.get(input.flowId) ?? 0;
          for (let turns = 0; turns < 20; turns += 1) await turn();
          const result = await flows.runTask(input);
          if (result.created) totals.set(input.flowId, before + 1);
          return result;
        },
        getTaskSummary: async (flowId) => {
          const summary = await flows.getTaskSummary(flowId);
          return summary && { ...summary, total: totals.get(flowId) ?? 0 };
        },
      }));
    }),
  },
});
