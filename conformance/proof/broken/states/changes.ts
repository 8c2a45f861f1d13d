/** Section 3: the actions that change a flow gone wrong. */
import { both, withFlowView, withRequest } from "../../changes.ts";
import { shownAs } from "../../choices.ts";
import { chosenProducts } from "../../products/chosen.ts";
import { subjectsOf, type Subject } from "../../subject.ts";

const chosen: readonly Subject[] = chosenProducts([
  [
    "resume_flow applied in any status",
    [
      "of a flow that is queued",
      "of a flow that is succeeded",
      "of a flow that is failed",
      "of a flow that is cancelled",
    ],
    "STATES-RESUME-FLOW",
  ],
  ["resume_flow accepted and nothing done", ["of a flow that is waiting"], "STATES-RESUME-FLOW"],
  ["request_cancel accepted and nothing done", ["always"], "STATES-REQUEST-CANCEL"],
  ["set_waiting drops the data sent with it", ["of a flow that is waiting"], "STATES-DATA"],
  ["get_flow finds nothing", ["of a flow that a sibling created"], "STATES-DATA"],
]);

/** Goals that changes were sent, by flowId. */
const otherGoals = new Map<unknown, string>();

/** Statuses that are shown under another name, and who sees it. */
const called = [
  ["waiting", "paused", "STATES-SET-WAITING"],
  ["failed", "error", "STATES-FAIL-FLOW"],
] as const;

export const changes: readonly Subject[] = [
  ...chosen,
  ...called.map(([status, shown, kill]) => ({
    id: `${status}-called-${shown}`,
    bug: `A flow that is ${status} is shown as ${shown}.`,
    kills: [kill],
    change: shownAs(status, shown),
  })),
  ...subjectsOf<Subject>({
    "finished-called-succeeded": {
      bug: "finish_flow makes a flow `succeeded`.",
      kills: ["STATES-FINISH-FLOW"],
      change: withFlowView((view, { status }) => ({ ...view, status })),
    },
    "change-sets-goal": {
      bug: "A change stores whatever fields it is sent: set_waiting with a goal gives the flow another one.",
      kills: ["ACTION-CHANGE-OTHER-FIELDS"],
      change: both(
        withRequest(({ goal, ...body }) => {
          if (body["action"] !== "set_waiting" || goal === undefined)
            return { ...body, ...(goal !== undefined && { goal }) };
          otherGoals.set(body["flowId"], JSON.stringify(goal));
          return body;
        }),
        withFlowView((view, { flowId, goal }) => ({ ...view, goal: otherGoals.get(flowId) ?? goal })),
      ),
    },
  }),
];
