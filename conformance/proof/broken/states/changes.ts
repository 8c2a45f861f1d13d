/** Section 3: the actions that change a flow gone wrong. */
import { together, withFlowView, withRequest } from "../../changes.ts";
import { shownAs } from "../../choices.ts";
import { chosenProducts } from "../../products/chosen.ts";
import { failing, type Subject } from "../../subject.ts";

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

export const changes: readonly Subject[] = [
  ...chosen,
  ...failing("STATES-SET-WAITING", { "A flow that is waiting is shown as paused": shownAs("waiting", "paused") }),
  ...failing("STATES-FAIL-FLOW", { "A flow that is failed is shown as error": shownAs("failed", "error") }),
  ...failing("STATES-FINISH-FLOW", {
    "finish_flow makes a flow `succeeded`": withFlowView((view, { status }) => ({ ...view, status })),
  }),
  ...failing("ACTION-CHANGE-OTHER-FIELDS", {
    "A change stores whatever fields it is sent: set_waiting with a goal gives the flow another one": together(
      withRequest(({ goal, ...body }) => {
        if (body["action"] !== "set_waiting" || goal === undefined)
          return { ...body, ...(goal !== undefined && { goal }) };
        otherGoals.set(body["flowId"], JSON.stringify(goal));
        return body;
      }),
      withFlowView((view, { flowId, goal }) => ({ ...view, goal: otherGoals.get(flowId) ?? goal })),
    ),
  }),
];
