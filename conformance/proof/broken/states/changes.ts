/** Section 3: the actions that change a flow gone wrong. */
import { together, withFlowView, withRequest } from "../../changes.ts";
import { shownAs } from "../../choices.ts";
import { failing, type Subject } from "../../subject.ts";

/** Goals that changes were sent, by flowId. */
const otherGoals = new Map<unknown, string>();

export const changes: readonly Subject[] = [
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
