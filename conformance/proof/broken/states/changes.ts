/** Section 3: the actions that change a flow gone wrong. */
import { both, withAction, withFlows, withRequest, withViews } from "../../changes.ts";
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

export const changes: readonly Subject[] = [
  ...chosen,
  ...subjectsOf<Subject>({
    "waiting-called-paused": {
      bug: "set_waiting makes a flow `paused`.",
      kills: ["STATES-SET-WAITING"],
      change: shownAs("waiting", "paused"),
    },
    "finished-called-succeeded": {
      bug: "finish_flow makes a flow `succeeded`.",
      kills: ["STATES-FINISH-FLOW"],
      change: withViews((views) => ({ flow: (flow) => ({ ...views.flow(flow), status: flow.status }) })),
    },
    "failed-called-error": {
      bug: "fail_flow makes a flow `error`.",
      kills: ["STATES-FAIL-FLOW"],
      change: shownAs("failed", "error"),
    },
    "wait-data-renamed": {
      bug: "The names in the state that set_waiting is given are turned into camel case.",
      kills: ["STATES-DATA"],
      change: withFlows((flows) => ({
        setWaiting({ stateJson, ...input }) {
          if (stateJson === undefined) return flows.setWaiting(input);
          const text = JSON.stringify(stateJson).replace(/_([a-z])(?=\w*":)/g, (_all, letter: string) =>
            letter.toUpperCase(),
          );
          return flows.setWaiting({ ...input, stateJson: JSON.parse(text) as typeof stateJson });
        },
      })),
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
        withViews((views) => ({
          flow: (flow) => ({ ...views.flow(flow), goal: otherGoals.get(flow.flowId) ?? flow.goal }),
        })),
      ),
    },
    "several-changes-wrap": {
      bug: "resume_flow gives the revision from before the wait, though a new one is stored.",
      kills: ["STATES-REQUEST-CANCEL"],
      change: withAction("resume_flow", ({ run }) => ({
        run: async (fields, context) => {
          const answer = await run(fields, context);
          const { flow } = answer.result as { flow?: { revision: number } };
          if (!answer.ok || flow === undefined) return answer;
          return { ...answer, result: { applied: true, flow: { ...flow, revision: flow.revision - 2 } } };
        },
      })),
    },
  }),
];
