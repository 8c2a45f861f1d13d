/** Section 1: the binding of a route to its session gone wrong. */
import { accept } from "../../../../plugin/answer.ts";
import { both, withAction, withEntries, withFlows, withOutcome } from "../../changes.ts";
import { chosenProducts } from "../../products/chosen.ts";
import { reaches } from "./across-sessions.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

/** resolve_flow answers whatever its runtime finds, by the session's own key as well. */
const asRuntimeResolves: Change = withAction("resolve_flow", () => ({
  run: async ({ token }, { flows, parts }) => {
    const flow = await flows.resolve(String(token));
    return accept({ flow: flow ? parts.views.flow(flow) : null });
  },
}));

const foreign = ([action, calls, kill]: (typeof reached)[number]): Subject => ({
  id: `session-foreign-${action.replaceAll("_", "-")}`,
  bug: `${action} reaches flows of other sessions.`,
  kills: [`SESSION-FOREIGN-${kill}`],
  change: reaches(calls),
});

const reached = [
  ["set_waiting", ["get", "setWaiting"], "CHANGES"],
  ["resume_flow", ["get", "resume"], "CHANGES"],
  ["finish_flow", ["get", "finish"], "CHANGES"],
  ["fail_flow", ["get", "fail"], "CHANGES"],
  ["request_cancel", ["get", "requestCancel"], "CHANGES"],
  ["get_flow", ["get"], "READS"],
  ["resolve_flow", ["resolve"], "READS"],
  ["get_task_summary", ["getTaskSummary"], "READS"],
  ["cancel_flow", ["cancel"], "TASKS"],
  ["run_task", ["runTask"], "TASKS"],
] as const;

const chosen: readonly Subject[] = chosenProducts([
  ["find_latest_flow shows a flow of another session", ["always"], "SESSION-FOREIGN-READS"],
  [
    "find_latest_flow shows a flow of another session",
    ["when every flow of the session has ended"],
    "SESSION-EMPTY-READS",
  ],
  ["list_flows shows a flow of another session", ["always"], "SESSION-FOREIGN-READS"],
  ["list_flows shows a flow of another session", ["when every flow of the session has ended"], "SESSION-EMPTY-READS"],
  ["set_waiting refused though right", ["of a flow that a sibling created"], "SESSION-SEEDED"],
]);

export const sessions: readonly Subject[] = [
  ...reached.map(foreign),
  ...chosen,
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
    "session-per-route": {
      bug: "Every route has a session of its own, whatever its sessionKey.",
      kills: ["STATES-DATA", "STATES-SET-WAITING"],
      change: withEntries((entry, id) => ({ ...entry, sessionKey: `${String(entry["sessionKey"])}-${id}` })),
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
    "session-empty-null": {
      bug: "Where a session has no flow, the result of list_flows is null.",
      kills: ["SESSION-EMPTY-READS"],
      change: withOutcome("list_flows", (answer) => {
        const { flows } = answer.result as { flows?: unknown[] };
        return flows?.length === 0 ? { ...answer, result: null as unknown as object } : answer;
      }),
    },
  }),
];
