/** Faults that take two things: an action in one state, a child of one kind, a read after one change. */
import { reject } from "../../../../plugin/answer.ts";
import type { Json } from "../../../../plugin/ports.ts";
import { asText, withFlows, withStage } from "../../changes.ts";
import { chosenProducts } from "../../products/chosen.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

/** Data of set_waiting is stored otherwise. */
const storesData = (change: (data: Json) => Json | undefined): Change =>
  withFlows((flows) => ({
    setWaiting: ({ stateJson, ...input }) => {
      const stored = stateJson === undefined ? undefined : change(stateJson);
      return flows.setWaiting(stored === undefined ? input : { ...input, stateJson: stored });
    },
  }));

const capital = (_all: string, letter: string): string => letter.toUpperCase();

const chosen: readonly Subject[] = chosenProducts([
  [
    "cancel_flow with active children answers 200",
    [
      "of a flow that is waiting",
      "of a flow asked to cancel",
      "of a flow with an acp child",
      "of a flow whose child has a session key",
      "of a flow with a queued child",
      "of a flow with a running child",
    ],
    "STATES-CANCEL-CHILDREN",
  ],
  [
    "cancel_flow accepted and nothing done",
    ["of a flow that is queued", "of a flow that is blocked"],
    "STATES-CANCEL-FLOW",
  ],
  ["fail_flow refused though right", ["of a flow that is queued", "of a flow that is blocked"], "STATES-FAIL-FLOW"],
  ["finish_flow refused though right", ["of a flow that is waiting"], "STATES-FINISH-FLOW"],
  ["run_task refused though right", ["of a flow that is waiting"], "STATES-RUN-TASK"],
  ["resume_flow refused though right", ["of a flow that is blocked"], "STATES-RESUME-FLOW"],
  ["find_latest_flow takes no notice of resume_flow", ["always"], "STATES-RESUME-FLOW"],
  ["find_latest_flow takes no notice of fail_flow", ["always"], "STATES-FAIL-FLOW"],
  ["find_latest_flow takes no notice of request_cancel", ["always"], "STATES-REQUEST-CANCEL"],
  ["find_latest_flow takes no notice of cancel_flow", ["always"], "STATES-CANCEL-FLOW"],
  ["find_latest_flow takes no notice of set_waiting", ["always"], "STATES-SET-BLOCKED"],
  ["list_flows shows flows twice", ["always"], "CREATE-FLOW-FIELDS"],
  ["get_task_summary counts ended children as active", ["of a flow with a child"], "STATES-SET-WAITING"],
  ["get_flow finds nothing", ["of a flow with 50 newer ones in the session"], "SESSION-MANY-FLOWS"],
  ["get_task_summary counts no task", ["of a flow that has ended"], "STATES-FINISH-FLOW"],
]);

/** A flow of any other session, where only few requests show it. */
const foreign: readonly Subject[] = chosenProducts([
  ["list_flows shows a flow of another session", ["with more than 20 flows in the session"], "NEVER-FOREIGN-FLOWS"],
]).map((subject) => ({ ...subject, beside: ["SESSION-MANY-FLOWS"] }));

export const pairs: readonly Subject[] = [
  ...chosen,
  ...foreign,
  ...failing("STATES-DATA", storesData, {
    "The names in the state that set_waiting is given are turned into camel case": (data) =>
      JSON.parse(JSON.stringify(data).replace(/_([a-z])(?=\w*":)/g, capital)) as Json,
    "State data that is falsy is not stored": (data) => data || undefined,
    "State data that is a text is cut at 4,096 characters": (data) =>
      typeof data === "string" ? data.slice(0, 4096) : data,
  }),
  ...failing("RUN-TASK-WRONG", {
    "run_task in an ended flow is refused for its state before its fields are looked at": withStage(
      "action",
      async ({ body = {}, context }, right) => {
        const flow = body["action"] === "run_task" ? await context.flows.get(asText(body["flowId"])) : undefined;
        return flow?.endedAt === undefined ? right() : reject("terminal");
      },
    ),
  }),
];
