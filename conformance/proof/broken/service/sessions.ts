/** Sections 1 and 3: the binding of a route to its session gone wrong, and flows of other sessions that are reached or told of. */
import { isTerminal } from "../../../../fakes/flow-store.ts";
import { accept, reject, type Answer } from "../../../../plugin/answer.ts";
import type { Code } from "../../../../plugin/codes.ts";
import type { BoundFlows, FlowRecord } from "../../../../plugin/ports.ts";
import { changeActions } from "../../../interface/flow-model.ts";
import {
  asText,
  keepsAnswers,
  together,
  isPending,
  perStart,
  withAction,
  withAnswer,
  withEntries,
  withFlows,
  withNotes,
  withOutcome,
  withRefusals,
  withStage,
  type ActionRun,
} from "../../changes.ts";
import { allFailing, failing, failingEach, type Change, type Subject } from "../../subject.ts";

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

/** Changes that know the flows of every session that a route is bound to. */
const withBound = (make: (bound: ReadonlyMap<string, BoundFlows>) => Change): Change =>
  perStart(() => {
    const bound = new Map<string, BoundFlows>();
    const noted = withFlows((flows) => (bound.set(flows.sessionKey, flows), {}));
    return together(noted, make(bound));
  });

/** A field of an action may name the session in which it is carried out. */
const inSession = (field: string, action: string): Change =>
  withBound((bound) =>
    withStage("action", (exchange, right) => {
      const { [field]: named, ...body } = exchange.body ?? {};
      const { context } = exchange;
      const flows = (body["action"] === action && bound.get(asText(named))) || context.flows;
      return right({ ...exchange, body, context: { ...context, flows } });
    }),
  );

/** Fields that may name a session, and the actions that are then carried out there. */
const named = [
  ["sessionKey", "set_waiting"],
  ["session", "list_flows"],
  ["requesterSessionKey", "create_flow"],
] as const;

/** What a session key becomes before it is bound. */
const bound = (as: (key: string) => string): Change => withFlows((flows, others) => others(as(flows.sessionKey)));

type When = (flow: FlowRecord, fields: ActionRun["fields"]) => boolean;

/** Some actions do something else where they name a flow of another session that is like this. */
const elsewhere = (
  actions: readonly string[],
  when: When,
  instead: (run: ActionRun, flow: FlowRecord, owner: BoundFlows) => Answer | Promise<Answer>,
): Change =>
  withBound((bound) =>
    withAction(actions, async (run) => {
      const { fields, context, right } = run;
      for (const owner of bound.values()) {
        if (owner.sessionKey === context.flows.sessionKey) continue;
        const flow = await owner.get(String(fields["flowId"] ?? fields["token"]));
        if (flow && when(flow, fields)) return instead(run, flow, owner);
      }
      return right();
    }),
  );

const isStale: When = ({ revision }, { expectedRevision }) => revision !== expectedRevision;

/** resolve_flow keeps what it has found where it is like this, for whoever has the token. */
const keepsFound = (isKept: (flow: FlowRecord | null) => boolean): Change =>
  withNotes<Answer>("resolve_flow", async ({ fields: { token }, right }, kept) => {
    const answer = kept.get(token) ?? (await right());
    const { flow } = answer.result as { flow?: FlowRecord | null };
    if (flow !== undefined && isKept(flow)) kept.set(token, answer);
    return answer;
  });

/** An action reaches flows of other sessions, where they are like this. */
const reaching = ([action, when = () => true]: readonly [action: string, when?: When]): Change =>
  elsewhere([action], when, ({ fields, context, right }, _flow, flows) => right(fields, { ...context, flows }));

/** What a change of such a flow of another session is refused with, where it tells more than not_found. */
const tells = ([code, when, isShown = false]: readonly [code: Code, when: When, isShown?: boolean]): Change =>
  elsewhere(changeActions, when, ({ context }, flow) => {
    const current = isShown && { current: context.parts.views.flow(flow) };
    return reject(code, { result: { applied: false, ...current } });
  });

/** A flow that was answered 202 once is cancelled for any session. */
const cancelsPending: Change = perStart(() => {
  const pending = new Set<string>();
  return together(
    reaching(["cancel_flow", ({ flowId }) => pending.has(flowId)]),
    withFlows((flows) => ({
      cancel: async (input) => {
        const result = await flows.cancel(input);
        if (isPending(result)) pending.add(input.flowId);
        return result;
      },
    })),
  );
});

/** Routes that have the same in this field of their entries have the session of the first of them. */
const oneSessionFor = (field: "controllerId" | "secret"): Change =>
  perStart(() => {
    const sessions = new Map<unknown, unknown>();
    return withEntries((entry) => {
      const { [field]: value, sessionKey } = entry;
      if (value === undefined) return entry;
      if (!sessions.has(value)) sessions.set(value, sessionKey);
      return { ...entry, sessionKey: sessions.get(value) };
    });
  });

export const sessions: readonly Subject[] = [
  ...failing({
    "NEVER-FOREIGN-FLOWS: Routes with the same configured controllerId have the session of the first of them":
      oneSessionFor("controllerId"),
    "CONFIG-PATH-NESTED: Routes with one secret have the session of the first of them": oneSessionFor("secret"),
    "NEVER-FOREIGN-FLOWS: Of a session key 64 characters are kept": bound((key) => key.slice(0, 64)),
    "NEVER-FOREIGN-FLOWS: Of a session key three parts are kept": bound((key) => key.split(":").slice(0, 3).join(":")),
    "NEVER-FOREIGN-FLOWS: Session keys are turned into lower case before they are bound": bound((key) =>
      key.toLowerCase(),
    ),
    "NEVER-FOREIGN-FLOWS: finish_flow takes the session key in lower case, and shows no flow": together(
      withFlows(({ sessionKey }, others) => ({ finish: others(sessionKey.toLowerCase()).finish })),
      withOutcome("finish_flow", (answer) => (answer.ok ? accept({}) : answer)),
    ),
    "SESSION-FOREIGN-KEYS-NAMED: Cancelling a flow cancels every child of the session that a child of its own names, whoever started it":
      cancelsByKey,
    "NEVER-FOREIGN-FLOWS: Refused actions have one result for all, which holds the flow of the last conflict": perStart(
      () => {
        const result = {};
        return withRefusals((refusal) => ({ ...refusal, result: Object.assign(result, refusal.result) }), "action");
      },
    ),
    "NEVER-FOREIGN-FLOWS: A 401 holds the last result of its route": perStart(() => {
      const last = new Map<string, Answer["result"]>();
      return withAnswer((answer, _request, route) => {
        if (answer.ok) last.set(route, answer.result);
        return answer.code === "unauthorized" ? { ...answer, result: last.get(route) ?? {} } : answer;
      });
    }),
    "NEVER-FOREIGN-FLOWS, SESSION-NAMED-IN-BODY: resolve_flow takes the key of any session for a token": together(
      asRuntimeResolves,
      withFlows((flows, others) => ({
        resolve: async (token) =>
          (await flows.resolve(token)) ?? (token.startsWith("session-") ? others(token).findLatest() : null),
      })),
    ),
    "SESSION-KEY-NOT-CONFIRMED: resolve_flow gives the latest flow for the key of its own session, which confirms a guessed key":
      asRuntimeResolves,
    "SESSION-EVERY-ROUTE: A route with a configured path has a session of its own, whatever its sessionKey":
      withEntries((entry, id) => ("path" in entry ? { ...entry, sessionKey: id } : entry)),
    "ALWAYS-ENVELOPE: Where a session has no flow, the result of list_flows is null": withOutcome(
      "list_flows",
      (answer) => {
        const { flows } = answer.result as { flows?: unknown[] };
        return flows?.length === 0 ? { ...answer, result: null as unknown as object } : answer;
      },
    ),
    "SESSION-FOREIGN-READS: get_flow keeps the flow that it has just found, and shows it to another session as well":
      keepsAnswers("get_flow", changeActions),
    "SESSION-FOREIGN-READS: resolve_flow keeps a flow that has ended, and shows it to another session as well":
      keepsFound((flow) => flow !== null && isTerminal(flow)),
    "SESSION-FOREIGN-READS: A token that resolve_flow did not find is not looked for again, in any session": keepsFound(
      (flow) => flow === null,
    ),
    "SESSION-FOREIGN-TASKS: A flow whose cancellation waits for its children may be cancelled from any session":
      cancelsPending,
    "SESSION-FOREIGN-CHANGES: A stale change of another session's flow is answered with the current flow": tells([
      "revision_conflict",
      isStale,
      true,
    ]),
    "SESSION-FOREIGN-LIKE-ABSENT-AT-ANY-REVISION: The message of not_found says that a flow is another session's":
      elsewhere(
        changeActions,
        () => true,
        () => reject("not_found", { error: "The TaskFlow is not one of this session." }),
      ),
  }),
  ...allFailing("NEVER-FOREIGN-FLOWS", bound, {
    "A session key is read up to its number; what follows is ignored": (key) =>
      key.replace(/(-[0-9a-f]{16})-.*$/, "$1"),
    "Session keys are told apart by what stands behind their last colon": (key) => key.slice(key.lastIndexOf(":") + 1),
    "Session keys are told apart by their letters and digits": (key) => key.replaceAll(/[^a-z0-9]/gi, "-"),
  }),
  ...failingEach(named, ([field, action]) => [
    `SESSION-NAMED-IN-BODY: The field ${field} of a body may name the session of a ${action}`,
    inSession(field, action),
  ]),
  ...failingEach([...changeActions, "get_flow", "resolve_flow", "get_task_summary"], (action) => [
    `SESSION-FOREIGN-${changeActions.some((one) => one === action) ? "CHANGES" : "READS"}: ${action} reaches flows of other sessions`,
    reaching([action]),
  ]),
  ...allFailing("SESSION-FOREIGN-TASKS", reaching, {
    "cancel_flow finds flows that have ended in any session": ["cancel_flow", isTerminal],
    "A flow whose cancellation was requested may be cancelled from any session": [
      "cancel_flow",
      ({ cancelRequestedAt }) => cancelRequestedAt !== undefined,
    ],
    "A task that names a key for its child reaches flows of any session": [
      "run_task",
      (_flow, { childSessionKey }) => childSessionKey !== undefined,
    ],
    "A blocked flow takes a task from any session, which may unblock it": [
      "run_task",
      ({ status }) => status === "blocked",
    ],
  }),
  ...allFailing("SESSION-FOREIGN-LIKE-ABSENT-AT-ANY-REVISION", tells, {
    "A stale change of another session's flow is a conflict, with an empty result": ["revision_conflict", isStale],
    "A change of another session's flow that has ended says so": ["terminal", isTerminal],
  }),
];
