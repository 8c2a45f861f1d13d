/** Sections 1 and 3: flows of other sessions that are reached, or told of, in some state or in any. */
import { isTerminal } from "../../../../fakes/flow-store.ts";
import type { BoundFlows, FlowRecord, RevisionInput } from "../../../../plugin/ports.ts";
import { perStart, withFlows } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

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

/** Calls that reach flows of other sessions, where they are like this. */
const reaching = ([calls, when = () => true]: readonly [calls: readonly Call[], when?: When]): Change =>
  elsewhere(calls, when, ({ owner }, call, input) => carriedOut(owner, call, input));

/** What a change of such a flow of another session is refused with, where it tells more than not_found. */
const tells = ([code, when, isShown = false]: readonly [code: string, when: When, isShown?: boolean]): Change =>
  elsewhere(changes, when, ({ flow }) => ({ applied: false, code, ...(isShown && { current: flow }) }));

export const foreign: readonly Subject[] = [
  ...failing("SESSION-FOREIGN-CHANGES", reaching, {
    "set_waiting reaches flows of other sessions": [["get", "setWaiting"]],
    "resume_flow reaches flows of other sessions": [["get", "resume"]],
    "finish_flow reaches flows of other sessions": [["get", "finish"]],
    "fail_flow reaches flows of other sessions": [["get", "fail"]],
    "request_cancel reaches flows of other sessions": [["get", "requestCancel"]],
  }),
  ...failing("SESSION-FOREIGN-READS", reaching, {
    "get_flow reaches flows of other sessions": [["get"]],
    "resolve_flow reaches flows of other sessions": [["resolve"]],
    "get_task_summary reaches flows of other sessions": [["getTaskSummary"]],
  }),
  ...failing("SESSION-FOREIGN-TASKS", reaching, {
    "get_flow finds flows that have ended in any session": [["get"], isTerminal],
    "A flow whose cancellation was requested may be cancelled from any session": [
      ["cancel"],
      ({ cancelRequestedAt }) => cancelRequestedAt !== undefined,
    ],
    "A blocked flow takes a task from any session, which may unblock it": [
      ["runTask"],
      ({ status }) => status === "blocked",
    ],
  }),
  ...failing("SESSION-FOREIGN-LIKE-ABSENT-AT-ANY-REVISION", tells, {
    "A stale change of another session's flow is a conflict, with an empty result": ["revision_conflict", isStale],
    "A change of another session's flow that has ended says so": ["terminal", isTerminal],
  }),
  ...failing("SESSION-FOREIGN-CHANGES", tells, {
    "A stale change of another session's flow is answered with the current flow": ["revision_conflict", isStale, true],
  }),
];
