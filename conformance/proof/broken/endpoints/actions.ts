/** Sections 3, 4 and 7: wrong results of actions, valid and refused, and refusals that are right the first times only. */
import { accept, reject } from "../../../../plugin/answer.ts";
import type { JsonObject } from "../../../../plugin/json.ts";
import type { RunTaskInput } from "../../../../plugin/ports.ts";
import { inheritedNames } from "../../../interface/broken-requests.ts";
import { changeActions } from "../../../interface/flow-model.ts";
import {
  pretends,
  recoded,
  repeatsField,
  together,
  withCall,
  withStatuses,
  withRefusals,
  withRequest,
  asText,
  withStage,
  withViews,
  perStart,
} from "../../changes.ts";
import { allFailing, failing, failingEach, type Subject, type Change } from "../../subject.ts";
import { reading } from "./fields.ts";

/** Fields that only a running task has. */
const runningFields = ["startedAt", "lastEventAt", "progressSummary"];

/** Fields that only a running task has are left out. */
const leavesOut = (isLeft: (field: string, body: JsonObject) => boolean): Change =>
  withRequest((body) => {
    const kept = Object.entries(body).filter(([name]) => !(runningFields.includes(name) && isLeft(name, body)));
    return Object.fromEntries(kept);
  });

const storesTask = (change: (input: RunTaskInput) => RunTaskInput): Change =>
  withCall("runTask", (input, flows) => flows.runTask(change(input)));

/** Refuses a valid run_task. `subagents`: the children of that runtime that the flow has. */
const refuses = (when: (input: RunTaskInput, subagents: number) => boolean): Change =>
  withCall("runTask", async (input, flows) => {
    const children = await flows.getTaskSummary(input.flowId);
    return when(input, children?.byRuntime["subagent"] ?? 0)
      ? { created: false, found: true, code: "task_not_created" }
      : flows.runTask(input);
  });

/** What is asked about an absent flow as often as this is refused with another code. */
const tires = (from: number): Change =>
  perStart(() => {
    const counts = new Map<string, number>();
    return withRefusals((refusal, { body, context }) => {
      if (refusal.code !== "not_found") return refusal;
      const alike = JSON.stringify([context.route.id, body]);
      const count = (counts.get(alike) ?? 0) + 1;
      counts.set(alike, count);
      return count >= from ? reject("request_rejected") : refusal;
    }, "action");
  });

export const actions: readonly Subject[] = [
  ...failing({
    "ACTION-NAME-INHERITED: The action is looked up among the members of an object, and what it inherits succeeds":
      withStage("action", ({ body = {} }, right) =>
        inheritedNames.includes(asText(body["action"])) ? accept({}) : right(),
      ),
    "ACTION-ABSENT: cancel_flow of a flow that does not exist is accepted": pretends("cancel_flow", "not_found"),
    "FIELD-VALUES-FINISH-FLOW: A missing field gets 422 with the code request_rejected": together(
      withStatuses({ request_rejected: 422 }),
      withRefusals((refusal) => (refusal.code === "invalid_request" ? reject("request_rejected") : refusal), "action"),
    ),
    "CREATE-FLOW-FIELDS: Every flow gets the same id": { runtime: { ids: () => "flow" } },
    "CREATE-FLOW-FIELDS: create_flow gives the newest flow again where it has the same goal and controller and nothing was done with it":
      withCall("tryCreateManaged", async (input, flows) => {
        const [newest] = await flows.list();
        if (newest?.goal !== input.goal || newest.controllerId !== input.controllerId)
          return flows.tryCreateManaged(input);
        const unused = newest.revision === 0 && (await flows.getTaskSummary(newest.flowId))?.total === 0;
        return unused ? newest : flows.tryCreateManaged(input);
      }),
    "RUN-TASK-WRONG: The fields of a running task are looked for by their truth, so 0 and an empty text pass with any status":
      leavesOut((name, body) => !body[name] && body["status"] !== "running"),
    "NEVER-METADATA: The view of a task holds its childSessionKey, percent-encoded": withViews((views) => ({
      task: (task) => ({ ...views.task(task), of: encodeURIComponent(task.childSessionKey ?? "") }),
    })),
    "NEVER-METADATA: The view of a task that has not begun holds its childSessionKey": withViews((views) => ({
      task: (task) => ({
        ...views.task(task),
        ...(task.status === "queued" && { childSessionKey: task.childSessionKey }),
      }),
    })),
    "RUN-TASK-RIGHT: A running task without a progressSummary gets that of the task before, of whatever flow":
      repeatsField("run_task", "progressSummary", ({ status }) => status === "running"),
    "RUN-TASK-CANCEL-REQUESTED: run_task after request_cancel is accepted": pretends("run_task", "cancel_requested"),
    "RUN-TASK-ENDED: run_task in an ended flow is accepted": pretends("run_task", "terminal"),
    "ACTION-ABSENT: From the sixth time on the same request about an absent flow gets request_rejected": tires(6),
  }),
  ...failingEach([...changeActions, "run_task"], (action) => {
    const code = action === "run_task" ? "task_not_created" : "mutation_rejected";
    return [
      `ACTION-ABSENT: ${action} of a flow that does not exist has the code ${code}`,
      recoded(action, "not_found", code),
    ];
  }),
  ...runningFields.flatMap((field) =>
    failing({
      [`RUN-TASK-WRONG: ${field} without a status is ignored`]: leavesOut(
        (name, { status }) => name === field && status === undefined,
      ),
      [`RUN-TASK-WRONG: ${field} with status queued is ignored`]: leavesOut(
        (name, { status }) => name === field && status === "queued",
      ),
      [`RUN-TASK-WRONG: With ${field} the status may be spelled in any case`]: reading(
        "run_task",
        "status",
        (sent, _known, body) => (field in body && typeof sent === "string" ? sent.toLowerCase() : undefined),
      ),
    }),
  ),
  ...allFailing("RUN-TASK-RIGHT", storesTask, {
    "White space within a task's text becomes one blank": (input) => ({
      ...input,
      task: input.task.replaceAll(/\s+/g, " "),
    }),
    "A task of the runtime acp begins at its last event, and its last event was when it began": (input) => {
      const { runtime, startedAt, lastEventAt } = input;
      const isMeant = runtime === "acp" && startedAt !== undefined && lastEventAt !== undefined;
      return isMeant ? { ...input, startedAt: lastEventAt, lastEventAt: startedAt } : input;
    },
    "A progressSummary is stored up to its 64th character": ({ progressSummary, ...input }) =>
      progressSummary ? { ...input, progressSummary: progressSummary.slice(0, 64) } : input,
  }),
  ...allFailing("RUN-TASK-RIGHT", refuses, {
    "A flow takes one child of the runtime subagent only": ({ runtime }, subagents) =>
      runtime === "subagent" && subagents > 0,
    "The runtime acp is refused": ({ runtime }) => runtime === "acp",
    "Status running without startedAt is refused": ({ status, startedAt, progressSummary }) =>
      status === "running" && startedAt === undefined && progressSummary === undefined,
    "progressSummary without startedAt is refused": ({ startedAt, progressSummary }) =>
      startedAt === undefined && progressSummary !== undefined,
    "lastEventAt without startedAt is refused": ({ startedAt, lastEventAt }) =>
      startedAt === undefined && lastEventAt !== undefined,
    "startedAt and lastEventAt together are refused": ({ startedAt, lastEventAt }) =>
      startedAt !== undefined && lastEventAt !== undefined,
  }),
];
