/** Faults that no single request shows: they need a history. The property cases have to find them by themselves. */
import { perStart, withStageBefore } from "../../changes.ts";
import { chosenProducts } from "../../products/chosen.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";
import * as faults from "./deep-changes.ts";
import { deepLimits } from "./deep-limits.ts";
import { deepRaces } from "./deep-races.ts";

const found = (by: string, table: Record<string, { bug: string; change: Change }>) =>
  Object.fromEntries(Object.entries(table).map(([id, item]) => [id, { ...item, kills: [by] }]));

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
  ["a change shows the revision before", ["of a flow of which a change was rejected"], "PROPERTY-REVISIONS"],
  ["a conflict names the session", ["of a flow that had a conflict"], "PROPERTY-LEAKAGE"],
]);

const single: readonly Subject[] = subjectsOf<Subject>({
  "deep-unread-revision-taken": {
    bug: "Once a flow has had a conflict, an expectedRevision that is no number is taken for the current one.",
    kills: ["PROPERTY-REVISIONS"],
    change: perStart(faults.unreadRevisionTaken),
  },
  "deep-child-end-resurrects": {
    bug: "The end of the last child shows a flow whose cancellation waited for it as queued again.",
    kills: ["PROPERTY-STATES"],
    change: perStart(faults.childEndResurrects),
  },
  "deep-child-key-in-summary": {
    bug: "The task summary holds the last child's session key, percent-encoded.",
    kills: ["NEVER-METADATA"],
    beside: ["RUN-TASK-RIGHT"],
    change: perStart(faults.childKeyAsLabel),
  },
  "deep-third-wrong-secret": {
    bug: "From the third wrong secret of a caller on a route answers as if the body were wrong.",
    kills: ["AUTH-WRONG-SECRETS"],
    change: perStart(faults.thirdWrongSecretLetsIn),
  },
  "deep-refused-task-stored": {
    bug: "The second run_task of a flow that its fields make wrong is refused, and the task is stored.",
    kills: ["PROPERTY-RUN-TASK"],
    change: perStart(faults.refusedTaskStored),
  },
  "deep-in-flight-before-budget": {
    bug: "A caller with eight requests in flight and a used-up budget is answered for those in flight.",
    kills: ["ORDER-RATE-BEFORE-IN-FLIGHT"],
    change: withStageBefore("in-flight", "rate-limit"),
  },
  "deep-failed-writes-spend-revision": {
    bug: "The second change of a flow that cannot be stored has used up the revision that the flow still shows.",
    kills: ["PROPERTY-NOT-STORED"],
    change: perStart(faults.secondFailureSpendsRevision),
  },
  "deep-lost-task-awaited": {
    bug: "A task that could not be stored is waited for when its flow is cancelled.",
    kills: ["PROPERTY-NOT-STORED"],
    change: perStart(faults.lostTaskAwaited),
  },
  ...found("PROPERTY-LIMITS", deepLimits),
  ...found("PROPERTY-RACES", deepRaces),
});

export const deep: readonly Subject[] = [...chosen, ...single];
