/** Sections 1 and 3: flows of other sessions that are reached in one state only, and answers that change when asked again. */
import { isTerminal } from "../../../../fakes/flow-store.ts";
import type { BoundFlows, FlowRecord, MutationResult, RevisionInput } from "../../../../plugin/ports.ts";
import { withFlows, withRequest, perStart } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

type Found = { readonly flow: FlowRecord; readonly owner: BoundFlows } | undefined;

/** Changes bound sessions that can look a flow up in all of them. */
const acrossSessions = (
  change: (flows: BoundFlows, find: (flowId: string) => Promise<Found>) => Partial<BoundFlows>,
): Change =>
  perStart(() => {
    const bound = new Map<string, BoundFlows>();
    const find = async (flowId: string): Promise<Found> => {
      for (const owner of bound.values()) {
        const flow = await owner.get(flowId);
        if (flow) return { flow, owner };
      }
      return undefined;
    };
    return withFlows((flows) => {
      bound.set(flows.sessionKey, flows);
      return change(flows, find);
    });
  });

const isForeign = (found: Found, { sessionKey }: BoundFlows): found is NonNullable<Found> =>
  found !== undefined && found.owner.sessionKey !== sessionKey;

/** A change is refused with this code where it is for another session's flow and `when` holds. */
const refusedAs = (code: string, when: (flow: FlowRecord, input: RevisionInput) => boolean): Change =>
  acrossSessions((flows, find) => {
    const told =
      <Input extends RevisionInput>(change: (input: Input) => unknown) =>
      async (input: Input): Promise<MutationResult> => {
        const found = await find(input.flowId);
        if (isForeign(found, flows) && when(found.flow, input)) return { applied: false, code };
        return (await change(input)) as MutationResult;
      };
    return {
      setWaiting: told(flows.setWaiting),
      resume: told(flows.resume),
      finish: told(flows.finish),
      fail: told(flows.fail),
      requestCancel: told(flows.requestCancel),
    };
  });

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
    change: acrossSessions((flows, find) => ({
      get: async (flowId) => {
        const own = await flows.get(flowId);
        if (own) return own;
        const found = await find(flowId);
        return found !== undefined && isTerminal(found.flow) ? found.flow : null;
      },
    })),
  },
  "session-foreign-cancel-asked": {
    bug: "A flow whose cancellation was requested may be cancelled from any session.",
    kills: ["SESSION-FOREIGN-TASKS"],
    change: acrossSessions((flows, find) => ({
      cancel: async (input) => {
        const found = await find(input.flowId);
        const open = isForeign(found, flows) && found.flow.cancelRequestedAt !== undefined;
        return (open ? found.owner : flows).cancel(input);
      },
    })),
  },
  "session-foreign-blocked-task": {
    bug: "A blocked flow takes a task from any session, which may unblock it.",
    kills: ["SESSION-FOREIGN-TASKS"],
    change: acrossSessions((flows, find) => ({
      runTask: async (input) => {
        const found = await find(input.flowId);
        return (isForeign(found, flows) && found.flow.status === "blocked" ? found.owner : flows).runTask(input);
      },
    })),
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
