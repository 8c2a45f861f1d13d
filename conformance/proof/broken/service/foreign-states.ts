/** Sections 1 and 3: flows of other sessions that are reached in one state only, and answers that change when asked again. */
import { isTerminal } from "../../../../fakes/flow-store.ts";
import { withFlows, withRequest, perStart } from "../../changes.ts";
import { subjectsOf, type Subject } from "../../subject.ts";
import { reaches, refusedAs } from "./across-sessions.ts";

/** Cancelling a flow cancels every child of the session that one of its own children names. */
const cancelsByKey = perStart(({ settle }) => {
  const children: { flowId: string; taskId: string; key: string }[] = [];
  return withFlows((flows) => ({
    runTask: async (input) => {
      const result = await flows.runTask(input);
      const { flowId, childSessionKey: key } = input;
      if (result.created && key) children.push({ flowId, taskId: result.task.taskId, key });
      return result;
    },
    cancel: async (input) => {
      const keys = children.filter(({ flowId }) => flowId === input.flowId).map(({ key }) => key);
      for (const { flowId, taskId, key } of children)
        if (keys.includes(key)) settle({ flowId, taskId, status: "cancelled" });
      return flows.cancel(input);
    },
  }));
});

/** The third time that a change meets a conflict it is sent again with the current revision. */
const CONFLICTS = 3;

const gaveIn = perStart(() => {
  const met = new Map<string, number>();
  return withRequest(async (body, { flows }) => {
    const { flowId, expectedRevision } = body;
    if (typeof flowId !== "string" || expectedRevision === undefined) return body;
    const flow = await flows.get(flowId);
    if (!flow || flow.revision === expectedRevision || isTerminal(flow)) return body;
    const key = JSON.stringify(body);
    met.set(key, (met.get(key) ?? 0) + 1);
    return met.get(key) === CONFLICTS ? { ...body, expectedRevision: flow.revision } : body;
  });
});

/** A refused run_task is taken without the field that it was refused for when it comes a third time. */
const fieldDropped = perStart(() => {
  let refused = 0;
  return withRequest((body) => {
    const isWrong = body["action"] === "run_task" && body["status"] === undefined && "progressSummary" in body;
    if (!isWrong || (refused += 1) < CONFLICTS) return body;
    const { progressSummary: _dropped, ...rest } = body;
    return rest;
  });
});

export const foreignStates: readonly Subject[] = subjectsOf<Subject>({
  "session-foreign-archive": {
    bug: "get_flow finds flows that have ended in any session.",
    kills: ["SESSION-FOREIGN-TASKS"],
    change: reaches(["get"], isTerminal),
  },
  "session-foreign-cancel-asked": {
    bug: "A flow whose cancellation was requested may be cancelled from any session.",
    kills: ["SESSION-FOREIGN-TASKS"],
    change: reaches(["cancel"], ({ cancelRequestedAt }) => cancelRequestedAt !== undefined),
  },
  "session-foreign-blocked-task": {
    bug: "A blocked flow takes a task from any session, which may unblock it.",
    kills: ["SESSION-FOREIGN-TASKS"],
    change: reaches(["runTask"], ({ status }) => status === "blocked"),
  },
  "session-foreign-stale-told": {
    bug: "A stale change of another session's flow is a conflict, with an empty result.",
    kills: ["SESSION-FOREIGN-LIKE-ABSENT-AT-ANY-REVISION"],
    change: refusedAs("revision_conflict", (flow, { expectedRevision }) => flow.revision !== expectedRevision),
  },
  "session-foreign-ended-told": {
    bug: "A change of another session's flow says that the flow has ended, where it has.",
    kills: ["SESSION-FOREIGN-LIKE-ABSENT-AT-ANY-REVISION"],
    change: refusedAs("terminal", (flow) => isTerminal(flow)),
  },
  "session-foreign-told": {
    bug: "A change of a flow of another session is refused with a code of its own.",
    kills: ["SESSION-FOREIGN-LIKE-ABSENT-AT-ANY-REVISION"],
    change: refusedAs("request_rejected", () => true),
  },
  "session-foreign-conflict": {
    bug: "A stale change is answered with the current flow before it is asked whose flow that is.",
    kills: ["SESSION-FOREIGN-CHANGES"],
    change: refusedAs("revision_conflict", (flow, { expectedRevision }) => flow.revision !== expectedRevision, {
      shows: true,
    }),
  },
  "session-child-key-cancelled": {
    bug: "Cancelling a flow cancels every child of the session that a child of its own names, whoever started it.",
    kills: ["SESSION-FOREIGN-KEYS-NAMED"],
    change: cancelsByKey,
  },
  "revision-gives-in": {
    bug: "A change that meets the same conflict for the third time is applied all the same.",
    kills: ["REVISION-STALE"],
    change: gaveIn,
  },
  "run-task-gives-in": {
    bug: "A run_task that is refused for a field is taken without that field the third time.",
    kills: ["REFUSED-AGAIN"],
    change: fieldDropped,
  },
});
