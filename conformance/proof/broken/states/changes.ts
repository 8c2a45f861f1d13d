/** Section 3: the actions that change a flow, and their revisions, gone wrong. */
import { revisionActions } from "../../../interface/fields.ts";
import { reject } from "../../../../plugin/answer.ts";
import type { FlowRecord, Json } from "../../../../plugin/ports.ts";
import {
  asText,
  together,
  withAction,
  withCall,
  withFlowView,
  withOutcome,
  withRequest,
  withStage,
  withStatuses,
} from "../../changes.ts";
import { shownAs } from "../../choices.ts";
import { failing, type Subject, type Change } from "../../subject.ts";

/** Goals that changes were sent, by flowId. */
const otherGoals = new Map<unknown, string>();

/** Data of set_waiting is stored otherwise. */
const storesData = (change: (data: Json) => Json | undefined): Change =>
  withCall("setWaiting", ({ stateJson, ...input }, flows) => {
    const stored = stateJson === undefined ? undefined : change(stateJson);
    return flows.setWaiting(stored === undefined ? input : { ...input, stateJson: stored });
  });

const capital = (_all: string, letter: string): string => letter.toUpperCase();

export const changes: readonly Subject[] = [
  ...failing("REVISION-STALE", {
    "A stale revision gets 412": withStatuses({ revision_conflict: 412 }),
    "A conflict's result shows the flow with the revision that was sent": withOutcome(
      revisionActions,
      (answer, fields) => {
        const { current } = answer.result as { current?: FlowRecord };
        if (answer.code !== "revision_conflict" || current === undefined) return answer;
        return { ...answer, result: { applied: false, current: { ...current, revision: fields["expectedRevision"] } } };
      },
    ),
  }),
  ...failing("STATES-SET-WAITING", {
    "A flow that is waiting is shown as paused": shownAs("waiting", "paused"),
    "set_waiting compares expectedRevision with that of the session's latest flow": withAction(
      "set_waiting",
      async ({ fields, context, right }) => {
        const [latest] = (await context.flows.list()).toSorted((one, other) => other.updatedAt - one.updatedAt);
        const fits = latest === undefined || latest.revision === fields["expectedRevision"];
        return fits ? right() : reject("revision_conflict");
      },
    ),
  }),
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
