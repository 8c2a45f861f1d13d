/** Freedoms in what actions do. */
import { isTerminal } from "../../../fakes/flow-store.ts";
import { accept, reject } from "../../../plugin/answer.ts";
import type { Code } from "../../../plugin/codes.ts";
import type { FlowRecord, Json } from "../../../plugin/ports.ts";
import {
  countsTasksAsChanges,
  isPending,
  withAction,
  withFlows,
  withOutcome,
  withRequest,
  withStage,
  withViews,
} from "../changes.ts";
import { subjectsOf, type Change, type Different } from "../subject.ts";

const reading = ["get_flow", "resolve_flow", "get_task_summary"];

/** An action is refused unless its fields are like this. */
const insists = (
  action: string,
  fits: (body: { [key: string]: Json }) => boolean,
  code: Code = "invalid_request",
): Change =>
  withStage("action", ({ run }) => (exchange) => {
    const { body = {} } = exchange;
    return body["action"] === action && !fits(body) ? reject(code) : run(exchange);
  });

const isObjectOrAbsent = (value: Json | undefined): boolean =>
  value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value));

/** An action takes its id under another name. */
const renamed = (action: string, from: string, to: string): Change =>
  withStage("action", ({ run }) => (exchange) => {
    const { body = {} } = exchange;
    if (body["action"] !== action) return run(exchange);
    if (from in body || !(to in body)) return reject("invalid_request");
    const { [to]: value, ...rest } = body;
    return run({ ...exchange, body: { ...rest, [from]: value as Json } });
  });

// Shared by all routes of a session.
const over = new Set<string>();
const ended = <T extends FlowRecord | null | undefined>(flow: T): T =>
  flow && over.has(flow.flowId) ? { ...flow, status: "cancelled" } : flow;

let cancellations = 0;

/** All children of a cancelled flow end with it, except in every `everyTurns`-th cancellation, which waits for them. */
const cancelsChildren = (everyTurns = Number.POSITIVE_INFINITY): Change =>
  withFlows((flows) => {
    return {
      cancel: async (input) => {
        if (over.has(input.flowId)) return { found: true, cancelled: false, code: "terminal" };
        if ((cancellations += 1) % everyTurns === 0) return flows.cancel(input);
        const result = await flows.cancel(input);
        if (!isPending(result) || !result.flow) return result;
        over.add(input.flowId);
        return { found: true, cancelled: true, flow: ended(result.flow), tasks: [] };
      },
      get: async (flowId) => ended(await flows.get(flowId)),
      list: async () => (await flows.list()).map(ended),
      findLatest: async () => ended(await flows.findLatest()),
      resolve: async (token) => ended(await flows.resolve(token)),
      getTaskSummary: async (flowId) => {
        const summary = await flows.getTaskSummary(flowId);
        return summary && over.has(flowId) ? { ...summary, active: 0, terminal: summary.total } : summary;
      },
    };
  });

function fromIso(value: Json | undefined): Json | undefined {
  if (value === undefined) return undefined;
  return typeof value === "string" ? Date.parse(value) : "not a text";
}

export const behaviour: readonly Different[] = subjectsOf<Different>({
  "absent-reads-empty": {
    freedom: "a read of an absent flow: an empty result",
    change: withOutcome(reading, (answer) => (Object.values(answer.result).includes(null) ? accept({}) : answer)),
  },
  "unknown-action-ignored": {
    freedom: "an unknown action is accepted and does nothing",
    change: withStage("action", ({ run }) => (exchange) => {
      const { action } = exchange.body ?? {};
      const isKnown = exchange.context.parts.actions.some(({ name }) => name === action);
      return typeof action !== "string" || isKnown ? run(exchange) : accept({});
    }),
  },
  "action-no-text-unknown": {
    freedom: "an action that is no text: request_rejected, as an unknown one",
    change: withStage("action", ({ run }) => (exchange) => {
      const { action = "" } = exchange.body ?? {};
      return typeof action === "string" ? run(exchange) : reject("request_rejected");
    }),
  },
  "cancelled-without-reason": {
    freedom: "a cancelled flow loses its blockedSummary, one whose cancellation is pending keeps it",
    change: withViews((views) => ({
      flow: ({ blockedSummary, ...flow }) =>
        views.flow(flow.status === "cancelled" || blockedSummary === undefined ? flow : { ...flow, blockedSummary }),
    })),
  },
  "blocked-without-state": {
    freedom: "a blocked flow shows no state data, one that waits keeps it",
    change: withViews((views) => ({
      flow: ({ stateJson, ...flow }) =>
        views.flow(flow.status === "blocked" || stateJson === undefined ? flow : { ...flow, stateJson }),
    })),
  },
  "data-kept-as-a-pair": {
    freedom: "who sends state or wait data replaces both, who sends neither keeps both",
    change: withFlows((flows) => ({
      setWaiting: (input) => {
        const { stateJson, waitJson } = input;
        const keeps = stateJson === undefined && waitJson === undefined;
        return flows.setWaiting(keeps ? input : { ...input, stateJson: stateJson ?? null, waitJson: waitJson ?? null });
      },
    })),
  },
  "request-cancel-again": {
    freedom: "request_cancel of a flow that was asked already is accepted and changes nothing",
    change: withFlows((flows) => ({
      requestCancel: async (input) => {
        const flow = await flows.get(input.flowId);
        const isAgain = flow?.cancelRequestedAt !== undefined && flow.revision === input.expectedRevision;
        return flow && isAgain && !isTerminal(flow) ? { applied: true, flow } : flows.requestCancel(input);
      },
    })),
  },
  "request-cancel-cancelling": {
    freedom: "the status after request_cancel: cancelling",
    change: withViews((views) => ({
      flow: (flow) => {
        const asked = flow.cancelRequestedAt !== undefined && ["queued", "waiting"].includes(flow.status);
        return views.flow(asked ? { ...flow, status: "cancelling" } : flow);
      },
    })),
  },
  "task-advances-revision": {
    freedom: "run_task advances the flow's revision",
    change: countsTasksAsChanges,
  },
  "cancel-ends-children": {
    freedom: "children end with their flow, so that none is active any more",
    change: cancelsChildren(),
  },
  "children-mostly-over": {
    freedom: "children are over so soon that few cancellations meet an active one",
    change: cancelsChildren(8),
  },
  "cancel-wants-revision": {
    freedom: "the fields of cancel_flow: it needs an expectedRevision",
    change: insists("cancel_flow", (body) => "expectedRevision" in body),
  },
  "cancel-wants-revision-else-conflict": {
    freedom: "the answer to a cancel_flow without the expectedRevision that it needs: a conflict",
    change: insists("cancel_flow", (body) => "expectedRevision" in body, "revision_conflict"),
  },
  "cancel-without-revision": {
    freedom: "the fields of cancel_flow: it takes no expectedRevision",
    change: insists("cancel_flow", (body) => !("expectedRevision" in body)),
  },
  "get-flow-by-id": { freedom: "the id field of get_flow", change: renamed("get_flow", "flowId", "id") },
  "summary-by-id": { freedom: "the id field of get_task_summary", change: renamed("get_task_summary", "flowId", "id") },
  "cancel-by-id": { freedom: "the id field of cancel_flow", change: renamed("cancel_flow", "flowId", "id") },
  "resolve-by-ref": { freedom: "the token field of resolve_flow", change: renamed("resolve_flow", "token", "ref") },
  "resolve-finds-nothing": {
    freedom: "a token is no flow id",
    change: withFlows(() => ({ resolve: () => null })),
  },
  "wait-data-by-other-names": {
    freedom: "the names of state and wait data",
    change: insists("set_waiting", (body) => !("stateJson" in body || "waitJson" in body || "blockedSummary" in body)),
  },
  "state-data-objects": {
    freedom: "the form of state and wait data: objects",
    change: insists("set_waiting", (body) => [body["stateJson"], body["waitJson"]].every(isObjectOrAbsent)),
  },
  "state-data-texts": {
    freedom: "the form of state and wait data: texts of JSON, shown as what they hold",
    change: withStage("action", ({ run }) => (exchange) => {
      const { body = {} } = exchange;
      if (body["action"] !== "set_waiting") return run(exchange);
      const texts = Object.entries(body).filter(([name]) => name === "stateJson" || name === "waitJson");
      if (texts.some(([, text]) => typeof text !== "string")) return reject("invalid_request");
      try {
        const held = texts.map(([name, text]) => [name, JSON.parse(text as string) as Json]);
        return run({ ...exchange, body: { ...body, ...Object.fromEntries(held) } });
      } catch {
        return reject("invalid_request");
      }
    }),
  },
  "task-wants-child-key-else-not-found": {
    freedom: "the answer to a run_task without the childSessionKey that it needs: no such session",
    change: insists("run_task", (body) => "childSessionKey" in body, "not_found"),
  },
  "acp-wants-child-key": {
    freedom: "run_task needs a childSessionKey for the runtime acp only",
    change: insists("run_task", (body) => body["runtime"] !== "acp" || typeof body["childSessionKey"] === "string"),
  },
  "task-child-key-unknown": {
    freedom: "run_task takes no childSessionKey that it does not know",
    change: insists("run_task", (body) => body["childSessionKey"] === undefined),
  },
  "task-iso-timestamps": {
    freedom: "timestamps as ISO 8601 text",
    change: withRequest((body) => {
      const { action, startedAt, lastEventAt } = body;
      if (action !== "run_task") return body;
      const times = { startedAt: fromIso(startedAt), lastEventAt: fromIso(lastEventAt) };
      const given = Object.entries(times).filter(([, value]) => value !== undefined);
      return { ...body, ...(Object.fromEntries(given) as { [key: string]: Json }) };
    }),
  },
  "revision-odd-conflict": {
    freedom: "an expectedRevision that no revision is: a conflict",
    change: withRequest((body) => {
      const { expectedRevision } = body;
      const odd = typeof expectedRevision === "number" && (expectedRevision < 0 || !Number.isInteger(expectedRevision));
      return odd ? { ...body, expectedRevision: 2 ** 40 } : body;
    }),
  },
  "foreign-child-accepted": {
    freedom: "a childSessionKey of another session is accepted",
    change: withFlows((flows) => ({
      runTask: async (input) => {
        const result = await flows.runTask(input);
        return !result.created && input.childSessionKey ? flows.runTask({ ...input, childSessionKey: null }) : result;
      },
    })),
  },
  "runtime-awaited": { freedom: "a runtime that answers with promises", change: { runtime: { awaited: true } } },
  "no-reads": {
    freedom: "the request fields of reads: all of them refused",
    change: withAction(["get_flow", "resolve_flow", "get_task_summary", "list_flows", "find_latest_flow"], () => ({
      run: async () => reject("invalid_request"),
    })),
  },
});
