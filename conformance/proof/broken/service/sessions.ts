/** Section 1: the binding of a route to its session gone wrong. */
import { accept } from "../../../../plugin/answer.ts";
import type { BoundFlows } from "../../../../plugin/ports.ts";
import { together, perStart, withAction, withEntries, withFlows, withOutcome, withStage } from "../../changes.ts";
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

/** A field of an action may name the session in which it is carried out. */
const inSession = (field: string, action: string): Change =>
  perStart(() => {
    let bind: (sessionKey: string) => BoundFlows;
    return together(
      withFlows((_flows, others) => {
        bind = others;
        return {};
      }),
      withStage("action", (exchange, right) => {
        const { [field]: named, ...body } = exchange.body ?? {};
        const isMeant = typeof named === "string" && body["action"] === action;
        const flows = isMeant ? bind(named) : exchange.context.flows;
        return right({ ...exchange, body, context: { ...exchange.context, flows } });
      }),
    );
  });

/** Fields that may name a session, and the actions that are then carried out there. */
const named = [
  ["sessionKey", "set_waiting"],
  ["session", "list_flows"],
  ["requesterSessionKey", "create_flow"],
] as const;

/** What a session key becomes before it is bound. */
const bound = (as: (key: string) => string): Change => withFlows((flows, others) => others(as(flows.sessionKey)));

export const sessions: readonly Subject[] = [
  ...failing("SESSION-KEY-LONGER", bound, {
    "A session key is read up to its number; what follows is ignored": (key) =>
      key.replace(/(-[0-9a-f]{16})-.*$/, "$1"),
    "Session keys are told apart by what stands behind their last colon": (key) => key.slice(key.lastIndexOf(":") + 1),
    "Session keys are told apart by their letters and digits": (key) => key.replaceAll(/[^a-z0-9]/gi, "-"),
  }),
  ...failing("SESSION-KEY-LONGER", {
    "Routes with the same configured controllerId have the session of the first of them": perStart(() => {
      const sessions = new Map<unknown, unknown>();
      return withEntries((entry) => {
        const { controllerId, sessionKey } = entry;
        if (controllerId === undefined) return entry;
        if (!sessions.has(controllerId)) sessions.set(controllerId, sessionKey);
        return { ...entry, sessionKey: sessions.get(controllerId) };
      });
    }),
  }),
  ...failing("SESSION-KEY-LAST-PART", bound, { "Of a session key 64 characters are kept": (key) => key.slice(0, 64) }),
  ...failing("SESSION-KEY-CAPITALS", bound, {
    "Session keys are turned into lower case before they are bound": (key) => key.toLowerCase(),
  }),
  ...failing("SESSION-KEY-UNICODE", bound, {
    "Session keys are brought into one Unicode form before they are bound": (key) => key.normalize("NFC"),
  }),
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
  ...named.flatMap(([field, action]) =>
    failing("SESSION-NAMED-IN-BODY", {
      [`The field ${field} of a body may name the session of a ${action}`]: inSession(field, action),
    }),
  ),
];
