/** Sections 1 and 3: flows of other sessions that are reached, or told of, in some state or in any. */
import { isTerminal } from "../../../../fakes/flow-store.ts";
import type { BoundFlows, FlowRecord, MutationResult, RevisionInput } from "../../../../plugin/ports.ts";
import { perStart, withFlows } from "../../changes.ts";
import type { Change, Subject } from "../../subject.ts";

type Found = { readonly flow: FlowRecord; readonly owner: BoundFlows };
type When = (flow: FlowRecord, input: RevisionInput) => boolean;

const changes = ["setWaiting", "resume", "finish", "fail", "requestCancel"] as const;
type Call = (typeof changes)[number] | "get" | "resolve" | "getTaskSummary" | "cancel" | "runTask";

/** Some calls do something else where they name a flow of another session that is like this. */
const elsewhere = (
  calls: readonly Call[],
  when: When,
  instead: (found: Found, call: Call, input: unknown) => unknown,
): Change =>
  perStart(() => {
    const bound = new Map<string, BoundFlows>();
    const find = async (flowId: string): Promise<Found | undefined> => {
      for (const owner of bound.values()) {
        const flow = await owner.get(flowId);
        if (flow) return { flow, owner };
      }
      return undefined;
    };
    return withFlows((flows) => {
      bound.set(flows.sessionKey, flows);
      const changed = calls.map((call) => [
        call,
        async (input: string | RevisionInput) => {
          const named = typeof input === "string" ? { flowId: input, expectedRevision: 0 } : input;
          const found = await find(named.flowId);
          const isForeign = found !== undefined && found.owner.sessionKey !== flows.sessionKey;
          return isForeign && when(found.flow, named) ? instead(found, call, input) : carriedOut(flows, call, input);
        },
      ]);
      return Object.fromEntries(changed) as Partial<BoundFlows>;
    });
  });

const carriedOut = (flows: BoundFlows, call: Call, input: unknown): unknown =>
  (flows[call] as (input: unknown) => unknown)(input);

const isStale: When = ({ revision }, { expectedRevision }) => revision !== expectedRevision;

/** What reaches flows of other sessions, where they are like this. */
const reached: readonly (readonly [id: string, bug: string, kill: string, calls: readonly Call[], when?: When])[] = [
  ...(
    [
      ["set_waiting", "CHANGES", ["get", "setWaiting"]],
      ["resume_flow", "CHANGES", ["get", "resume"]],
      ["finish_flow", "CHANGES", ["get", "finish"]],
      ["fail_flow", "CHANGES", ["get", "fail"]],
      ["request_cancel", "CHANGES", ["get", "requestCancel"]],
      ["get_flow", "READS", ["get"]],
      ["resolve_flow", "READS", ["resolve"]],
      ["get_task_summary", "READS", ["getTaskSummary"]],
    ] as const
  ).map(([action, kill, calls]): (typeof reached)[number] => [
    action.replaceAll("_", "-"),
    `${action} reaches flows of other sessions`,
    kill,
    calls,
  ]),
  ["archive", "get_flow finds flows that have ended in any session", "TASKS", ["get"], isTerminal],
  [
    "cancel-asked",
    "A flow whose cancellation was requested may be cancelled from any session",
    "TASKS",
    ["cancel"],
    ({ cancelRequestedAt }) => cancelRequestedAt !== undefined,
  ],
  [
    "blocked-task",
    "A blocked flow takes a task from any session, which may unblock it",
    "TASKS",
    ["runTask"],
    ({ status }) => status === "blocked",
  ],
];

/** What a change of another session's flow is refused with, where it tells more than not_found. */
const told = [
  [
    "stale-told",
    "A stale one is a conflict, with an empty result",
    "LIKE-ABSENT-AT-ANY-REVISION",
    "revision_conflict",
    isStale,
  ],
  ["ended-told", "One of a flow that has ended says so", "LIKE-ABSENT-AT-ANY-REVISION", "terminal", isTerminal],
  ["conflict", "A stale one is answered with the current flow", "CHANGES", "revision_conflict", isStale],
] as const;

export const foreign: readonly Subject[] = [
  ...reached.map(([id, bug, kill, calls, when = () => true]) => ({
    id: `session-foreign-${id}`,
    bug: `${bug}.`,
    kills: [`SESSION-FOREIGN-${kill}`],
    change: elsewhere(calls, when, ({ owner }, call, input) => carriedOut(owner, call, input)),
  })),
  ...told.map(([id, bug, kill, code, when]) => ({
    id: `session-foreign-${id}`,
    bug: `Of the changes of another session's flow: ${bug}.`,
    kills: [`SESSION-FOREIGN-${kill}`],
    change: elsewhere(changes, when, ({ flow }): MutationResult => {
      return { applied: false, code, ...(id === "conflict" && { current: flow }) };
    }),
  })),
];
