/** Section 4: run_task gone wrong. */
import type { Json, RunTaskInput } from "../../../../plugin/ports.ts";
import { countsTasksAsChanges, asText, withFlows, withOutcome, withRequest, withViews } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

const runningFields = ["startedAt", "lastEventAt", "progressSummary"];

type Body = { [key: string]: Json };

/** run_task's fields are changed before they are checked. */
const reads = (change: (body: Body) => Body): Change =>
  withRequest((body) => (body["action"] === "run_task" ? change(body) : body));

const without = (body: Body, field: string): Body => {
  const { [field]: _left, ...rest } = body;
  return rest;
};

const spelled: Readonly<Record<string, string>> = {
  startedAt: "STARTED-AT",
  lastEventAt: "LAST-EVENT-AT",
  progressSummary: "PROGRESS",
};

/** A field of a running task is ignored where the status is another, instead of refused. */
const ignored: readonly Subject[] = Object.entries(spelled).flatMap(([field, id]): Subject[] => [
  {
    id: `task-${id.toLowerCase()}-without-status`,
    bug: `${field} without a status is ignored.`,
    kills: ["RUN-TASK-WRONG"],
    change: reads((body) => (body["status"] === undefined ? without(body, field) : body)),
  },
  {
    id: `task-${id.toLowerCase()}-queued`,
    bug: `${field} with status queued is ignored.`,
    kills: ["RUN-TASK-WRONG"],
    change: reads((body) => (body["status"] === "queued" ? without(body, field) : body)),
  },
  {
    id: `task-${id.toLowerCase()}-any-case`,
    bug: `With ${field} the status may be spelled in any case.`,
    kills: ["RUN-TASK-WRONG"],
    change: reads((body) =>
      field in body && typeof body["status"] === "string" ? { ...body, status: body["status"].toLowerCase() } : body,
    ),
  },
]);

/** Refuses a valid run_task. */
const refuses = (when: (input: RunTaskInput) => boolean): Change =>
  withFlows((flows) => ({
    runTask: (input) =>
      when(input) ? { created: false, found: true, code: "task_not_created" } : flows.runTask(input),
  }));

/** Answers a task that the runtime refused as accepted; nothing is stored. */
const pretends = (code: string): Change =>
  withOutcome("run_task", (answer) => {
    const { code: _code, error: _error, ...rest } = answer;
    return answer.code === code ? { ...rest, ok: true } : answer;
  });

export const runTask: readonly Subject[] = [
  ...ignored,
  ...subjectsOf<Subject>({
    "task-one-subagent": {
      bug: "A flow takes one child of the runtime subagent only.",
      kills: ["RUN-TASK-RIGHT"],
      change: withFlows((flows) => ({
        runTask: async (input) => {
          const children = await flows.getTaskSummary(input.flowId);
          const second = input.runtime === "subagent" && (children?.byRuntime["subagent"] ?? 0) > 0;
          return second ? { created: false, found: true, code: "task_not_created" } : flows.runTask(input);
        },
      })),
    },
    "task-no-subagent": {
      bug: "The runtime subagent is refused.",
      kills: ["RUN-TASK-RIGHT"],
      change: refuses(({ runtime }) => runtime === "subagent"),
    },
    "task-no-acp": {
      bug: "The runtime acp is refused.",
      kills: ["RUN-TASK-RIGHT"],
      change: refuses(({ runtime }) => runtime === "acp"),
    },
    "task-any-runtime": {
      bug: "An unknown runtime is taken for subagent.",
      kills: ["RUN-TASK-RUNTIMES"],
      change: reads((body) => {
        const { runtime } = body;
        return typeof runtime === "string" && runtime !== "acp" ? { ...body, runtime: "subagent" } : body;
      }),
    },
    "task-runtime-cast": {
      bug: "A runtime that is no text is turned into one.",
      kills: ["RUN-TASK-RUNTIMES"],
      change: reads((body) => (Array.isArray(body["runtime"]) ? { ...body, runtime: asText(body["runtime"]) } : body)),
    },
    "task-without-flow": {
      bug: "run_task without flowId adds a task to the latest flow.",
      kills: ["REFUSED-AGAIN"],
      change: withRequest(async (body, { flows }) =>
        body["action"] === "run_task" && body["flowId"] === undefined
          ? { ...body, flowId: (await flows.findLatest())?.flowId ?? "" }
          : body,
      ),
    },
    "task-running-needs-fields": {
      bug: "Status running without startedAt is refused.",
      kills: ["RUN-TASK-RIGHT"],
      change: refuses(({ status, startedAt, progressSummary }) => {
        return status === "running" && startedAt === undefined && progressSummary === undefined;
      }),
    },
    "task-progress-needs-start": {
      bug: "progressSummary without startedAt is refused.",
      kills: ["RUN-TASK-RIGHT"],
      change: refuses(({ startedAt, progressSummary }) => startedAt === undefined && progressSummary !== undefined),
    },
    "task-fields-exclude-each-other": {
      bug: "startedAt and lastEventAt together are refused.",
      kills: ["RUN-TASK-RIGHT"],
      change: refuses(({ startedAt, lastEventAt }) => startedAt !== undefined && lastEventAt !== undefined),
    },
    "task-twice": {
      bug: "run_task adds two tasks.",
      kills: ["RUN-TASK-RIGHT"],
      change: withFlows((flows) => ({
        runTask: async (input) => {
          await flows.runTask(input);
          return flows.runTask(input);
        },
      })),
    },
    "task-child-key-shown": {
      bug: "The view of a task shows its childSessionKey.",
      kills: ["NEVER-METADATA"],
      change: withViews((views) => ({
        task: (task) => ({ ...views.task(task), childSessionKey: task.childSessionKey }),
      })),
    },
    "task-advances-revision": {
      bug: "run_task counts as a change of its flow.",
      kills: ["RUN-TASK-KEEPS-REVISION"],
      change: countsTasksAsChanges,
    },
    "task-after-request-cancel": {
      bug: "run_task after request_cancel is accepted.",
      kills: ["RUN-TASK-CANCEL-REQUESTED"],
      change: pretends("cancel_requested"),
    },
    "task-in-ended-flow": {
      bug: "run_task in an ended flow is accepted.",
      kills: ["RUN-TASK-ENDED"],
      change: pretends("terminal"),
    },
    "task-foreign-child": {
      bug: "run_task takes the session key of another session for a child's.",
      kills: ["RUN-TASK-FOREIGN-CHILD"],
      change: withFlows((flows) => ({
        runTask: async (input) => {
          const result = await flows.runTask(input);
          return !result.created && input.childSessionKey ? flows.runTask({ ...input, childSessionKey: null }) : result;
        },
      })),
    },
    "task-running-fields-truthy": {
      bug: "The fields of a running task are looked for by their truth, so 0 and an empty text pass with any status.",
      kills: ["RUN-TASK-WRONG"],
      change: withRequest((body) => {
        if (body["action"] !== "run_task" || body["status"] === "running") return body;
        return Object.fromEntries(
          Object.entries(body).filter(([name, value]) => !runningFields.includes(name) || Boolean(value)),
        );
      }),
    },
  }),
];
