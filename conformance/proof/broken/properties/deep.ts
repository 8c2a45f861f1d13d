/** Faults that no single request shows: they need a history. The property cases have to find them by themselves. */
import { perStart, withStageBefore } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";
import { askedFlowsByTurns, refusedTaskStored } from "./deep-answers.ts";
import * as faults from "./deep-changes.ts";
import { deepLimits } from "./deep-limits.ts";
import { lostTaskAwaited, secondFailureSpendsRevision } from "./deep-not-stored.ts";
import { deepRaces } from "./deep-races.ts";

const found = (by: string, table: Record<string, { bug: string; change: Change }>) =>
  Object.fromEntries(Object.entries(table).map(([id, item]) => [id, { ...item, kills: [by] }]));

export const deep: readonly Subject[] = subjectsOf<Subject>({
  "deep-conflict-forgiven": {
    bug: "A stale revision that is sent again after its conflict is taken.",
    kills: ["PROPERTY-REVISIONS"],
    change: perStart(faults.conflictForgiven),
  },
  "deep-revision-reused": {
    bug: "A change that was refused for the flow's state has used up a revision, which the next change is given again.",
    kills: ["PROPERTY-REVISIONS"],
    change: perStart(faults.failedChangesReuseRevision),
  },
  "deep-unread-revision-taken": {
    bug: "Once a flow has had a conflict, an expectedRevision that is no number is taken for the current one.",
    kills: ["PROPERTY-REVISIONS"],
    change: perStart(faults.unreadRevisionTaken),
  },
  "deep-second-wait-not-stored": {
    bug: "A second set_waiting in a row is answered as applied and not stored.",
    kills: ["PROPERTY-STATES", "PROPERTY-REVISIONS"],
    change: perStart(faults.secondWaitNotStored),
  },
  "deep-third-resume-loses-state": {
    bug: "The third resume of a flow loses its state data.",
    kills: ["PROPERTY-STATES"],
    change: perStart(faults.thirdResumeLosesState),
  },
  "deep-resumed-again": {
    bug: "A flow that was resumed can be resumed again without waiting in between.",
    kills: ["PROPERTY-STATES"],
    change: perStart(faults.resumedAgain),
  },
  "deep-failed-after-blocked": {
    bug: "fail_flow of a blocked flow makes it finished.",
    kills: ["PROPERTY-STATES"],
    change: perStart(faults.failedAfterBlocked),
  },
  "deep-child-forgotten-by-resume": {
    bug: "cancel_flow of a flow that was resumed does not wait for its active children.",
    kills: ["PROPERTY-STATES"],
    change: perStart(faults.childForgottenByResume),
  },
  "deep-child-end-resurrects": {
    bug: "The end of the last child shows a flow whose cancellation waited for it as queued again.",
    kills: ["PROPERTY-STATES"],
    change: perStart(faults.childEndResurrects),
  },
  "deep-list-forgets-resumed": {
    bug: "list_flows leaves out flows that were resumed twice.",
    kills: ["PROPERTY-STATES"],
    change: perStart(faults.listForgetsResumed),
  },
  "deep-ended-seen-by-all": {
    bug: "Flows that have ended are kept in a cache that routes of other sessions read as well.",
    kills: ["SESSION-FOREIGN-READS"],
    change: perStart(faults.endedSeenByAll),
  },
  "deep-cancel-asked-twice": {
    bug: "A second request_cancel takes back the first: run_task is accepted again.",
    kills: ["PROPERTY-STATES"],
    change: perStart(faults.cancelAskedTwice),
  },
  "deep-running-rule-forgotten": {
    bug: "Once a flow has had a running task, the fields of a running task are taken with any status.",
    kills: ["PROPERTY-RUN-TASK"],
    change: perStart(faults.runningRuleForgotten),
  },
  "deep-second-conflict-tells-owner": {
    bug: "The second conflict of a flow names the session that owns it.",
    kills: ["PROPERTY-LEAKAGE"],
    change: perStart(faults.secondConflictTellsOwner),
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
  "deep-asked-flows-by-turns": {
    bug: "set_waiting of a flow whose cancellation was asked for is refused while the flow's revision is even.",
    kills: ["PROPERTY-STATES"],
    change: askedFlowsByTurns,
  },
  "deep-refused-task-stored": {
    bug: "The second run_task of a flow that its fields make wrong is refused, and the task is stored.",
    kills: ["PROPERTY-RUN-TASK"],
    change: perStart(refusedTaskStored),
  },
  "deep-in-flight-before-budget": {
    bug: "A caller with eight requests in flight and a used-up budget is answered for those in flight.",
    kills: ["ORDER-RATE-BEFORE-IN-FLIGHT"],
    change: withStageBefore("in-flight", "rate-limit"),
  },
  "deep-failed-writes-spend-revision": {
    bug: "The second change of a flow that cannot be stored has used up the revision that the flow still shows.",
    kills: ["PROPERTY-NOT-STORED"],
    change: perStart(secondFailureSpendsRevision),
  },
  "deep-lost-task-awaited": {
    bug: "A task that could not be stored is waited for when its flow is cancelled.",
    kills: ["PROPERTY-NOT-STORED"],
    change: perStart(lostTaskAwaited),
  },
  ...found("PROPERTY-LIMITS", deepLimits),
  ...found("PROPERTY-RACES", deepRaces),
});
