/** Section 1: the binding of a route to its session gone wrong. */
import { accept } from "../../../../plugin/answer.ts";
import type { FlowRecord } from "../../../../plugin/ports.ts";
import { withAction, withEntries, withFlows, withRequest } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";
import { changing } from "../endpoints/actions-refused.ts";

type Flows = Parameters<Parameters<typeof withFlows>[0]>[0];

/** One operation looks for its flow in every session that a route was bound to. */
const everywhere = (names: readonly (keyof Flows)[], find: "id" | "all" = "id"): Change => {
  return {
    api: (api, origin) => {
      const bound = new Map<string, Flows>();
      const open = withFlows((flows) => {
        bound.set(flows.sessionKey, flows);
        const owner = async (flowId: string): Promise<Flows> => {
          for (const other of bound.values()) if (await other.get(flowId)) return other;
          return flows;
        };
        const methods = names.map((name) => [name, reaching(name, owner, bound, find)]);
        return Object.fromEntries(methods) as Partial<Flows>;
      });
      return open.api?.(api, origin) ?? api;
    },
  };
};

function reaching(
  name: keyof Flows,
  owner: (flowId: string) => Promise<Flows>,
  bound: ReadonlyMap<string, Flows>,
  find: "id" | "all",
) {
  const call = async (flows: Flows, input: unknown): Promise<unknown> =>
    (flows[name] as (input: unknown) => unknown)(input);
  if (find === "all") {
    return async () => {
      const lists = await Promise.all([...bound.values()].map(async (flows) => flows.list()));
      return lists.flat();
    };
  }
  return async (input: string | { flowId: string }) =>
    call(await owner(typeof input === "string" ? input : input.flowId), input);
}

/** The flow that was created last in any session, kept for each target that is started. */
export const latestOfAll = (
  change: (flows: Flows, latest: () => FlowRecord | undefined) => Partial<Flows>,
): Change => ({
  api: (api, origin) => {
    let latest: FlowRecord | undefined;
    const changed = withFlows((flows) => ({
      tryCreateManaged: async (input) => {
        const flow = await flows.tryCreateManaged(input);
        if (flow !== null && "flowId" in flow) latest = flow;
        return flow;
      },
      ...change(flows, () => latest),
    }));
    return changed.api?.(api, origin) ?? api;
  },
});

const operations: Readonly<Record<(typeof changing)[number], keyof Flows>> = {
  set_waiting: "setWaiting",
  resume_flow: "resume",
  finish_flow: "finish",
  fail_flow: "fail",
  request_cancel: "requestCancel",
};

const foreign = (
  id: string,
  action: string,
  names: readonly (keyof Flows)[],
  more: Partial<Subject> = {},
): Subject => ({
  id: `session-foreign-${id}`,
  bug: `${action} reaches flows of other sessions.`,
  kills: [`SESSION-FOREIGN-${action.toUpperCase().replaceAll("_", "-")}`],
  alsoFails: "any",
  change: everywhere(names),
  ...more,
});

/** Where the session that a body names is kept while its action runs. */
const current = new WeakMap<object, (sessionKey: string | undefined) => void>();

/** Some operations work on the session that a field of the body names. */
const fromBody = (name: string, change: (at: () => Flows) => Partial<Flows>): Change => ({
  api: (api, origin) => {
    let named: string | undefined;
    current.set(origin, (sessionKey) => (named = sessionKey));
    const changed = withFlows((flows, others) => change(() => (named === undefined ? flows : others(named))));
    return changed.api?.(api, origin) ?? api;
  },
  parts: (parts, origin) =>
    withRequest(({ [name]: sessionKey, ...rest }) => {
      current.get(origin)?.(typeof sessionKey === "string" ? sessionKey : undefined);
      return rest;
    }).parts?.(parts, origin) ?? parts,
});

export const sessions: readonly Subject[] = [
  ...changing.map((action) => foreign(action.replaceAll("_", "-"), action, ["get", operations[action]])),
  foreign("get-flow", "get_flow", ["get"]),
  foreign("resolve-flow", "resolve_flow", ["resolve"]),
  foreign("get-task-summary", "get_task_summary", ["getTaskSummary"]),
  foreign("cancel-flow", "cancel_flow", ["cancel"]),
  foreign("run-task", "run_task", ["runTask"]),
  foreign("list-flows", "list_flows", ["list"], { change: everywhere(["list"], "all") }),
  foreign("find-latest-flow", "find_latest_flow", [], {
    change: latestOfAll((_flows, latest) => ({ findLatest: latest })),
  }),
  ...subjectsOf<Subject>({
    "session-key-as-token": {
      bug: "resolve_flow takes the key of any session for a token.",
      kills: ["SESSION-FOREIGN-KEY-AS-TOKEN"],
      change: withFlows((flows, others) => ({
        resolve: async (token) =>
          (await flows.resolve(token)) ?? (token.startsWith("session-") ? others(token).findLatest() : null),
      })),
    },
    "session-key-cut": {
      bug: "A session key is read up to its number; what follows is ignored.",
      kills: ["SESSION-KEY-LONGER"],
      change: withFlows((flows, others) => others(flows.sessionKey.replace(/(-[0-9a-f]{8})-.*$/, "$1"))),
    },
    "session-key-first-part": {
      bug: "A session key is read up to its first colon.",
      kills: ["SESSION-KEY-LAST-PART"],
      change: withFlows((flows, others) => others(flows.sessionKey.replace(/:.*$/, ""))),
    },
    "session-key-64-characters": {
      bug: "Of a session key 64 characters are kept.",
      kills: ["SESSION-KEY-LAST-PART"],
      change: withFlows((flows, others) => others(flows.sessionKey.slice(0, 64))),
    },
    "session-key-lower-case": {
      bug: "Session keys are turned into lower case before they are bound.",
      kills: ["SESSION-KEY-CAPITALS"],
      change: withFlows((flows, others) => others(flows.sessionKey.toLowerCase())),
    },
    "session-foreign-told": {
      bug: "A flow of another session is refused with a code of its own.",
      kills: ["SESSION-FOREIGN-LIKE-ABSENT"],
      change: {
        api: (api, origin) => {
          const known = new Set<string>();
          const change = withFlows((flows) => ({
            tryCreateManaged: async (input) => {
              const flow = await flows.tryCreateManaged(input);
              if (flow !== null && "flowId" in flow) known.add(flow.flowId);
              return flow;
            },
            finish: async (input) => {
              const result = await flows.finish(input);
              const foreign = !result.applied && result.code === "not_found" && known.has(input.flowId);
              return foreign ? { applied: false, code: "request_rejected" } : result;
            },
          }));
          return change.api?.(api, origin) ?? api;
        },
      },
    },
    "session-per-route": {
      bug: "Every route has a session of its own, whatever its sessionKey.",
      kills: ["SESSION-SIBLING-READS", "SESSION-SIBLING-CHANGES"],
      alsoFails: "any",
      change: withEntries((entry, id) => ({ ...entry, sessionKey: `${String(entry["sessionKey"])}-${id}` })),
    },
    "session-sibling-read-only": {
      bug: "A route may change only flows that it created itself.",
      kills: ["SESSION-SIBLING-CHANGES", "SESSION-SEEDED"],
      alsoFails: "any",
      change: withFlows((flows) => {
        const own = new Set<string>();
        return {
          tryCreateManaged: async (input) => {
            const flow = await flows.tryCreateManaged(input);
            if (flow !== null && "flowId" in flow) own.add(flow.flowId);
            return flow;
          },
          setWaiting: (input) =>
            own.has(input.flowId) ? flows.setWaiting(input) : { applied: false, code: "mutation_rejected" },
        };
      }),
    },
    "session-sibling-unseen": {
      bug: "A route shows only flows that carry its own controllerId.",
      kills: ["SESSION-SIBLING-READS"],
      alsoFails: "any",
      change: withAction("get_flow", ({ run }) => ({
        run: async (fields, context) => {
          const answer = await run(fields, context);
          const { flow } = answer.result as { flow?: FlowRecord };
          const own = flow?.controllerId === context.route.controllerId;
          return own ? answer : { ...answer, result: { flow: null } };
        },
      })),
    },
    "session-sibling-unlisted": {
      bug: "list_flows shows only flows that carry the route's own controllerId.",
      kills: ["SESSION-SIBLING-LISTS"],
      change: withAction("list_flows", () => ({
        run: async (_fields, { flows, parts, route }) => {
          const own = (await flows.list()).filter(({ controllerId }) => controllerId === route.controllerId);
          return accept({ flows: own.map((flow) => parts.views.flow(flow)) });
        },
      })),
    },
    "session-from-body": {
      bug: "A body may name the session that its action works on, in one field; others that are unknown are refused.",
      kills: ["SESSION-NAMED-IN-BODY"],
      change: fromBody("sessionKey", (at) => ({
        get: (flowId) => at().get(flowId),
        setWaiting: (input) => at().setWaiting(input),
      })),
    },
    "session-listed-from-body": {
      bug: "A body may name the session whose flows are listed.",
      kills: ["SESSION-NAMED-IN-BODY"],
      change: fromBody("session", (at) => ({ list: () => at().list() })),
    },
    "session-created-from-body": {
      bug: "A body may name the session that a flow is created in.",
      kills: ["SESSION-NAMED-IN-BODY"],
      change: fromBody("requesterSessionKey", (at) => ({
        tryCreateManaged: (input) => at().tryCreateManaged(input),
      })),
    },
  }),
];
