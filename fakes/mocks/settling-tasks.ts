import type { ManagedFlowsFake } from "../managed-flows.ts";
import type { Clock, ManagedFlows } from "../../plugin/ports.ts";

/** The runtime, but its child tasks succeed `ms` milliseconds after their start; undefined: they stay active. */
export function settlingTasks(flows: ManagedFlowsFake, clock: Clock, ms: number | undefined): ManagedFlows {
  if (ms === undefined) return flows.runtime;
  return {
    bindSession: (session) => {
      const bound = flows.runtime.bindSession(session);
      return {
        ...bound,
        runTask: (input) => {
          const result = bound.runTask(input);
          if (result.created) {
            const { taskId, parentFlowId: flowId } = result.task;
            clock.setTimeout(() => flows.settle({ flowId, taskId, status: "succeeded" }), ms);
          }
          return result;
        },
      };
    },
  };
}
