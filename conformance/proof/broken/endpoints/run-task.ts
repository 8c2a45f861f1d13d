/** Section 4: run_task gone wrong. */
import type { RunTaskInput } from "../../../../plugin/ports.ts";
import { withFields, withCall, withOutcome, withViews } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";
import { reading } from "./near-values.ts";

/** Fields that only a running task has. */
const runningFields = ["startedAt", "lastEventAt", "progressSummary"];

/** One field is left out where the status is this one. */
const leavesOut = (field: string, when: string | undefined): Change =>
  withFields("run_task", (body) => {
    const { [field]: _left, ...rest } = body;
    return body["status"] === when ? rest : body;
  });

/** Refuses a valid run_task. `subagents`: the children of that runtime that the flow has. */
const refuses = (when: (input: RunTaskInput, subagents: number) => boolean): Change =>
  withCall("runTask", async (input, flows) => {
    const children = await flows.getTaskSummary(input.flowId);
    return when(input, children?.byRuntime["subagent"] ?? 0)
      ? { created: false, found: true, code: "task_not_created" }
      : flows.runTask(input);
  });

/** Answers a task that the runtime refused as accepted; nothing is stored. */
const pretends = (code: string): Change =>
  withOutcome("run_task", (answer) => {
    const { code: _code, error: _error, ...rest } = answer;
    return answer.code === code ? { ...rest, ok: true } : answer;
  });

export const runTask: readonly Subject[] = [
  ...runningFields.flatMap((field) =>
    failing("RUN-TASK-WRONG", {
      [`${field} without a status is ignored`]: leavesOut(field, undefined),
      [`${field} with status queued is ignored`]: leavesOut(field, "queued"),
      [`With ${field} the status may be spelled in any case`]: reading(
        "run_task",
        "status",
      )((sent, _known, body) => (field in body && typeof sent === "string" ? sent.toLowerCase() : undefined)),
    }),
  ),
  ...failing("RUN-TASK-WRONG", {
    "The fields of a running task are looked for by their truth, so 0 and an empty text pass with any status":
      withFields("run_task", (body) => {
        const isLeft = (name: string) => runningFields.includes(name) && !body[name] && body["status"] !== "running";
        return Object.fromEntries(Object.entries(body).filter(([name]) => !isLeft(name)));
      }),
  }),
  ...failing("RUN-TASK-RIGHT", refuses, {
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
  ...failing("RUN-TASK-RIGHT", {
    "run_task adds two tasks": withCall("runTask", async (input, flows) => {
      await flows.runTask(input);
      return flows.runTask(input);
    }),
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
