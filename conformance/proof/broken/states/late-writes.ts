/** Faults between a check of a flow and its write. */
import type { BoundFlows } from "../../../../plugin/ports.ts";
import { perStart, withFlows } from "../../changes.ts";
import { gap, late, writesLate } from "../../late-writes.ts";
import { failing, type Subject } from "../../subject.ts";

/** Flows that a route creates while one waits are one flow. */
const mergesCreations = withFlows((flows) => {
  let pending: ReturnType<BoundFlows["tryCreateManaged"]> | undefined;
  const create: BoundFlows["tryCreateManaged"] = async (input) => {
    await gap();
    pending = undefined;
    return flows.tryCreateManaged(input);
  };
  return { tryCreateManaged: (input) => (pending ??= create(input)) };
});

/** The number of a flow's tasks is read, and written back after a wait. */
const losesTasks = perStart(() => {
  const totals = new Map<string, number>();
  return withFlows((flows) => ({
    runTask: async (input) => {
      const before = totals.get(input.flowId) ?? 0;
      await gap();
      const result = await flows.runTask(input);
      if (result.created) totals.set(input.flowId, before + 1);
      return result;
    },
    getTaskSummary: async (flowId) => {
      const summary = await flows.getTaskSummary(flowId);
      return summary && { ...summary, total: totals.get(flowId) ?? 0 };
    },
  }));
});

export const statesWrittenLate: readonly Subject[] = [
  ...failing("REVISION-RACE", writesLate, {
    [`finish_flow, and no other change, compares the revision and is written ${late}`]: ["finish"],
  }),
  ...failing("RUN-TASK-BESIDE-CANCEL", writesLate, {
    [`run_task looks whether the flow has ended and stores the task ${late}`]: ["runTask"],
  }),
  ...failing("ACTION-CREATE-FLOW-AT-ONCE", {
    [`Flows that a route creates while another is created are one flow: that is stored ${late}`]: mergesCreations,
  }),
  ...failing("RUN-TASK-AT-ONCE", {
    [`The number of tasks is read, and written back when the task is stored, ${late}`]: losesTasks,
  }),
];
