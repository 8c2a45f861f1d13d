/** Section 1: the binding of a route to its session gone wrong. */
import { accept } from "../../../../plugin/answer.ts";
import type { FlowRecord } from "../../../../plugin/ports.ts";
import { both, withAction, withEntries, withFlows, perStart } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

type Flows = Parameters<Parameters<typeof withFlows>[0]>[0];

/** One operation looks for its flow in every session that a route was bound to. */
const everywhere = (names: readonly (keyof Flows)[], find: "id" | "all" = "id"): Change =>
  perStart(() => {
    const bound = new Map<string, Flows>();
    return withFlows((flows) => {
      bound.set(flows.sessionKey, flows);
      const owner = async (flowId: string): Promise<Flows> => {
        for (const other of bound.values()) if (await other.get(flowId)) return other;
        return flows;
      };
      const methods = names.map((name) => [name, reaching(name, owner, bound, find)]);
      return Object.fromEntries(methods) as Partial<Flows>;
    });
  });

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
export const latestOfAll = (change: (flows: Flows, latest: () => FlowRecord | undefined) => Partial<Flows>): Change =>
  perStart(() => {
    let latest: FlowRecord | undefined;
    return withFlows((flows) => ({
      tryCreateManaged: async (input) => {
        const flow = await flows.tryCreateManaged(input);
        if (flow !== null && "flowId" in flow) latest = flow;
        return flow;
      },
      ...change(flows, () => latest),
    }));
  });

/** resolve_flow answers whatever its runtime finds, by the session's own key as well. */
const asRuntimeResolves: Change = withAction("resolve_flow", () => ({
  run: async ({ token }, { flows, parts }) => {
    const flow = await flows.resolve(String(token));
    return accept({ flow: flow ? parts.views.flow(flow) : null });
  },
}));

const operations = {
  set_waiting: "setWaiting",
  resume_flow: "resume",
  finish_flow: "finish",
  fail_flow: "fail",
  request_cancel: "requestCancel",
} as const satisfies Record<string, keyof Flows>;

const foreign = (
  id: string,
  action: string,
  names: readonly (keyof Flows)[],
  kill: string,
  more: Partial<Subject> = {},
): Subject => ({
  id: `session-foreign-${id}`,
  bug: `${action} reaches flows of other sessions.`,
  kills: [`SESSION-FOREIGN-${kill}`],
  change: everywhere(names),
  ...more,
});

export const sessions: readonly Subject[] = [
  ...Object.entries(operations).map(([action, name]) =>
    foreign(action.replaceAll("_", "-"), action, ["get", name], "CHANGES"),
  ),
  foreign("get-flow", "get_flow", ["get"], "READS"),
  foreign("resolve-flow", "resolve_flow", ["resolve"], "READS"),
  foreign("get-task-summary", "get_task_summary", ["getTaskSummary"], "READS"),
  foreign("cancel-flow", "cancel_flow", ["cancel"], "TASKS"),
  foreign("run-task", "run_task", ["runTask"], "TASKS"),
  foreign("list-flows", "list_flows", ["list"], "READS", { change: everywhere(["list"], "all") }),
  foreign("find-latest-flow", "find_latest_flow", [], "READS", {
    change: latestOfAll((_flows, latest) => ({ findLatest: latest })),
  }),
  ...subjectsOf<Subject>({
    "session-key-as-token": {
      bug: "resolve_flow takes the key of any session for a token.",
      kills: ["SESSION-FOREIGN-KEY-AS-TOKEN"],
      change: both(
        asRuntimeResolves,
        withFlows((flows, others) => ({
          resolve: async (token) =>
            (await flows.resolve(token)) ?? (token.startsWith("session-") ? others(token).findLatest() : null),
        })),
      ),
    },
    "session-key-confirmed": {
      bug: "resolve_flow gives the latest flow for the key of its own session, which confirms a guessed key.",
      kills: ["SESSION-KEY-NOT-CONFIRMED"],
      change: asRuntimeResolves,
    },
    "session-foreign-told": {
      bug: "A flow of another session is refused with a code of its own.",
      kills: ["SESSION-FOREIGN-LIKE-ABSENT-AT-ANY-REVISION"],
      change: perStart(() => {
        const known = new Set<string>();
        return withFlows((flows) => ({
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
      }),
    },
    "session-per-route": {
      bug: "Every route has a session of its own, whatever its sessionKey.",
      kills: ["STATES-DATA", "STATES-SET-WAITING"],
      change: withEntries((entry, id) => ({ ...entry, sessionKey: `${String(entry["sessionKey"])}-${id}` })),
    },
    "session-sibling-read-only": {
      bug: "A route may change only flows that it created itself.",
      kills: ["STATES-SET-WAITING", "SESSION-SEEDED"],
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
      kills: ["STATES-DATA"],
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
      kills: ["SESSION-MANY-FLOWS"],
      change: withAction("list_flows", () => ({
        run: async (_fields, { flows, parts, route }) => {
          const own = (await flows.list()).filter(({ controllerId }) => controllerId === route.controllerId);
          return accept({ flows: own.map((flow) => parts.views.flow(flow)) });
        },
      })),
    },
  }),
];
