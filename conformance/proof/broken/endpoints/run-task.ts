/** Section 4: run_task gone wrong. */
import type { JsonObject } from "../../../../plugin/json.ts";
import type { RunTaskInput } from "../../../../plugin/ports.ts";
import { withFlows, withOutcome, withViews } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";
import { fieldsOf } from "./near-values.ts";

const without = (body: JsonObject, field: string): JsonObject => {
  const { [field]: _left, ...rest } = body;
  return rest;
};

const runningFields = ["startedAt", "lastEventAt", "progressSummary"];

/** Refuses a valid run_task. `subagents`: the children of that runtime that the flow has. */
const refuses = (when: (input: RunTaskInput, subagents: number) => boolean): Change =>
  withFlows((flows) => ({
    runTask: async (input) => {
      const children = await flows.getTaskSummary(input.flowId);
      return when(input, children?.byRuntime["subagent"] ?? 0)
        ? { created: false, found: true, code: "task_not_created" }
        : flows.runTask(input);
    },
  }));

/** Answers a task that the runtime refused as accepted; nothing is stored. */
const pretends = (code: string): Change =>
  withOutcome("run_task", (answer) => {
    const { code: _code, error: _error, ...rest } = answer;
    return answer.code === code ? { ...rest, ok: true } : answer;
  });

export const runTask: readonly Subject[] = [
  ...runningFields.flatMap((field) =>
    failing("RUN-TASK-WRONG", fieldsOf("run_task"), {
      [`${field} without a status is ignored`]: (body) => (body["status"] === undefined ? without(body, field) : body),
      [`${field} with status queued is ignored`]: (body) => (body["status"] === "queued" ? without(body, field) : body),
      [`With ${field} the status may be spelled in any case`]: (body) =>
        field in body && typeof body["status"] === "string" ? { ...body, status: body["status"].toLowerCase() } : body,
    }),
  ),
  ...failing("RUN-TASK-WRONG", fieldsOf("run_task"), {
    "The fields of a running task are looked for by their truth, so 0 and an empty text pass with any status": (
      body,
    ) =>
      body["status"] === "running"
        ? body
        : Object.fromEntries(
            Object.entries(body).filter(([name, value]) => !runningFields.includes(name) || Boolean(value)),
          ),
  }),
  ...failing("RUN-TASK-RIGHT", refuses, {
    "A flow takes one child of the runtime subagent only": ({ runtime }, subagents) =>
      runtime === "subagent" && subagents > 0,
    "The runtime acp is refused": ({ runtime }) => runtime === "acp",
    "Status running without startedAt is refused": ({ status, startedAt, progressSummary }) =>
      status === "running" && startedAt === undefined && progressSummary === undefined,
    "progressSummary without startedAt is refused": ({ startedAt, progressSummary }) =>
      startedAt === undefined && progressSummary !== undefined,
    "startedAt and lastEventAt together are refused": ({ startedAt, lastEventAt }) =>
      startedAt !== undefined && lastEventAt !== undefined,
  }),
  ...failing("RUN-TASK-RIGHT", {
    "run_task adds two tasks": withFlows((flows) => ({
      runTask: async (input) => {
        await flows.runTask(input);
        return flows.runTask(input);
      },
    })),
  }),
  ...failing("NEVER-METADATA", {
    "The view of a task holds its childSessionKey, percent-encoded": withViews((views) => ({
      task: (task) => ({ ...views.task(task), of: encodeURIComponent(task.childSessionKey ?? "") }),
    })),
  }),
  ...failing("RUN-TASK-CANCEL-REQUESTED", {
    "run_task after request_cancel is accepted": pretends("cancel_requested"),
  }),
  ...failing("RUN-TASK-ENDED", { "run_task in an ended flow is accepted": pretends("terminal") }),
];
