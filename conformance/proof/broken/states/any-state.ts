/** Section 3: actions that are refused for a state of the flow that the interface does not exclude. */
import { reject } from "../../../../plugin/answer.ts";
import { withAction } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

/** An action is refused for a flow with this status. */
const refusedFrom = (status: string, action: string): Change =>
  withAction(action, ({ run }) => ({
    run: async (fields, context) => {
      const flow = await context.flows.get(String(fields["flowId"]));
      const isCurrent = flow?.revision === fields["expectedRevision"] || action === "run_task";
      return flow?.status === status && isCurrent ? reject("mutation_rejected") : run(fields, context);
    },
  }));

export const anyState: readonly Subject[] = subjectsOf<Subject>({
  "state-queued-cannot-fail": {
    bug: "fail_flow is refused for a flow that has not begun.",
    kills: ["STATES-FAIL-FLOW"],
    change: refusedFrom("queued", "fail_flow"),
  },
  "state-waiting-cannot-finish": {
    bug: "finish_flow is refused for a flow that waits: it has to be resumed first.",
    kills: ["STATES-FINISH-FLOW"],
    change: refusedFrom("waiting", "finish_flow"),
  },
  "state-waiting-no-task": {
    bug: "run_task is refused for a flow that waits.",
    kills: ["STATES-RUN-TASK"],
    change: refusedFrom("waiting", "run_task"),
  },
  "state-blocked-cannot-fail": {
    bug: "fail_flow is refused for a blocked flow.",
    kills: ["STATES-FAIL-FLOW"],
    change: refusedFrom("blocked", "fail_flow"),
  },
  "state-resumed-once": {
    bug: "A flow that was resumed cannot be made waiting again.",
    kills: ["STATES-SET-WAITING"],
    change: withAction("set_waiting", ({ run }) => ({
      run: async (fields, context) => {
        const flow = await context.flows.get(String(fields["flowId"]));
        const isCurrent = flow?.revision === fields["expectedRevision"];
        const resumed = flow?.status === "queued" && (flow.revision ?? 0) > 0;
        return resumed && isCurrent ? reject("mutation_rejected") : run(fields, context);
      },
    })),
  },
});
