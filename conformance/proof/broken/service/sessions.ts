/** Section 1: the binding of a route to its session gone wrong. */
import { accept } from "../../../../plugin/answer.ts";
import { together, perStart, withAction, withEntries, withFlows, withOutcome } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

/** resolve_flow answers whatever its runtime finds, by the session's own key as well. */
const asRuntimeResolves: Change = withAction(
  "resolve_flow",
  async ({ fields: { token }, context: { flows, parts } }) => {
    const flow = await flows.resolve(String(token));
    return accept({ flow: flow ? parts.views.flow(flow) : null });
  },
);

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

export const sessions: readonly Subject[] = [
  ...failing("SESSION-FOREIGN-KEYS-NAMED", {
    "Cancelling a flow cancels every child of the session that a child of its own names, whoever started it":
      cancelsByKey,
  }),
  ...failing("SESSION-FOREIGN-KEY-AS-TOKEN", {
    "resolve_flow takes the key of any session for a token": together(
      asRuntimeResolves,
      withFlows((flows, others) => ({
        resolve: async (token) =>
          (await flows.resolve(token)) ?? (token.startsWith("session-") ? others(token).findLatest() : null),
      })),
    ),
  }),
  ...failing("SESSION-KEY-NOT-CONFIRMED", {
    "resolve_flow gives the latest flow for the key of its own session, which confirms a guessed key":
      asRuntimeResolves,
  }),
  ...failing("SESSION-EVERY-ROUTE", {
    "A route with a configured path has a session of its own, whatever its sessionKey": withEntries((entry, id) =>
      "path" in entry ? { ...entry, sessionKey: id } : entry,
    ),
  }),
  ...failing("SESSION-EMPTY-READS", {
    "Where a session has no flow, the result of list_flows is null": withOutcome("list_flows", (answer) => {
      const { flows } = answer.result as { flows?: unknown[] };
      return flows?.length === 0 ? { ...answer, result: null as unknown as object } : answer;
    }),
  }),
];
