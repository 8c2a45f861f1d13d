/** Section 3: the actions that change a flow gone wrong. */
import type { MutationResult } from "../../../../plugin/ports.ts";
import { passOn } from "../../passed-on.ts";
import { both, withAction, withFlows, withRequest, withViews } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

/** A status is shown under another name. */
const shownAs = (status: string, shown: string): Change =>
  withViews((views) => ({
    flow: (flow) => views.flow(flow.status === status ? { ...flow, status: shown } : flow),
  }));

/** resume_flow of a flow with this status is left to the runtime. */
const resumed = (status: string, kills: readonly string[]): Subject => ({
  id: `resume-${status}`,
  bug: `resume_flow is applied to a flow that is ${status}.`,
  kills,
  change: withAction("resume_flow", ({ name, run }) => ({
    run: async (fields, context) => {
      const flow = await context.flows.get(String(fields["flowId"]));
      return flow?.status === status ? passOn(name, fields, context) : run(fields, context);
    },
  })),
});

/** Goals that changes were sent, by flowId. */
const otherGoals = new Map<unknown, string>();

export const changes: readonly Subject[] = [
  resumed("queued", ["STATES-RESUME-FLOW"]),
  resumed("succeeded", ["STATES-RESUME-FLOW"]),
  resumed("failed", ["STATES-RESUME-FLOW"]),
  resumed("cancelled", ["STATES-RESUME-FLOW"]),
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
    "resume-stays-waiting": {
      bug: "resume_flow is applied and leaves the flow waiting.",
      kills: ["STATES-RESUME-FLOW"],
      change: withFlows((flows) => ({
        resume: async (input) => {
          const seen = await flows.get(input.flowId);
          if (seen?.status !== "waiting") return flows.resume(input);
          const { flowId, expectedRevision } = input;
          return flows.setWaiting({ flowId, expectedRevision });
        },
      })),
    },
    "request-cancel-forgotten": {
      bug: "request_cancel is accepted and changes nothing.",
      kills: ["GAP-REVISION-STEP"],
      change: withFlows((flows) => ({
        requestCancel: async ({ flowId, expectedRevision }): Promise<MutationResult> => {
          const flow = await flows.get(flowId);
          if (flow?.revision !== expectedRevision || flow.endedAt !== undefined) {
            return flows.requestCancel({ flowId, expectedRevision });
          }
          return { applied: true, flow };
        },
      })),
    },
    "wait-data-dropped": {
      bug: "set_waiting drops the state that it is given beside wait data.",
      kills: ["STATES-DATA"],
      change: withFlows((flows) => ({
        setWaiting: ({ stateJson, ...input }) =>
          flows.setWaiting(stateJson === undefined || input.waitJson !== undefined ? input : { ...input, stateJson }),
      })),
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
