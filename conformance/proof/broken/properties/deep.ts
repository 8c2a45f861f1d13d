/** Faults that no single request shows: they need a history. Most of them only a property finds. */
import { withStageBefore } from "../../changes.ts";
import { chosenProducts } from "../../products/chosen.ts";
import { failing, type Subject } from "../../subject.ts";
import { deepLimits } from "./deep-limits.ts";
import { deepRaces } from "./deep-races.ts";

const chosen: readonly Subject[] = chosenProducts([
  ["set_waiting accepted and nothing done", ["of a flow that is waiting"], "PROPERTY-STATES"],
  ["resume_flow applied in any status", ["of a flow that was resumed"], "PROPERTY-STATES"],
  ["resume_flow drops the state data", ["of a flow that was resumed twice"], "PROPERTY-STATES"],
  ["fail_flow makes the flow finished", ["of a flow that is blocked"], "PROPERTY-STATES"],
  ["cancel_flow with active children answers 200", ["of a flow that was resumed"], "PROPERTY-STATES"],
  ["list_flows leaves out each flow", ["of a flow that was resumed twice"], "PROPERTY-STATES"],
  ["run_task accepted and no task made", ["of a flow whose cancellation was requested twice"], "PROPERTY-STATES"],
  [
    "set_waiting refused though right",
    ["of a flow whose cancellation was requested, at even revisions"],
    "PROPERTY-STATES",
  ],
  [
    "run_task takes the fields of a running task without that status",
    ["of a flow with an acp child", "of a flow with two children"],
    "PROPERTY-RUN-TASK",
  ],
  [
    "run_task takes the fields of a running task without that status",
    ["of a flow with a running child"],
    "RUN-TASK-WRONG",
  ],
  [
    "a change takes what is no number for the current revision",
    ["of a flow that had a conflict"],
    "PROPERTY-REVISIONS",
  ],
  [
    "a change wants the revision after the current one",
    ["of a flow of which two changes could not be stored"],
    "PROPERTY-NOT-STORED",
  ],
  [
    "cancel_flow waits for a child that is not there",
    ["of a flow of which a task could not be stored"],
    "PROPERTY-NOT-STORED",
  ],
  ["a change shows the revision before", ["of a flow of which a change was rejected"], "PROPERTY-REVISIONS"],
  ["a conflict names the session", ["of a flow that had a conflict"], "PROPERTY-LEAKAGE"],
]);

export const deep: readonly Subject[] = [
  ...chosen,
  ...deepLimits,
  ...deepRaces,
  ...failing("ORDER-RATE-BEFORE-IN-FLIGHT", {
    "A caller with eight requests in flight and a used-up budget is answered for those in flight": withStageBefore(
      "in-flight",
      "rate-limit",
    ),
  }),
];
