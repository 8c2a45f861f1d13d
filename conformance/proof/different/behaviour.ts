/** Freedoms in what actions do. */
import { isTerminal } from "../../../fakes/flow-store.ts";
import { accept, reject } from "../../../plugin/answer.ts";
import type { FlowRecord, Json } from "../../../plugin/ports.ts";
import {
  isPending,
  together,
  tried,
  withAction,
  withCall,
  withFlows,
  withFlowShown,
  withOutcome,
  withRequest,
  withStage,
} from "../changes.ts";
import { lawful, type Change, type Different } from "../subject.ts";

const reading = ["get_flow", "resolve_flow", "get_task_summary"];

// Shared by all routes of a session.
const over = new Set<string>();
const ended = (flow: FlowRecord): FlowRecord => (over.has(flow.flowId) ? { ...flow, status: "cancelled" } : flow);

let cancellations = 0;

/** All children of a cancelled flow end with it. `isSoon`: they are over before, but every eighth flow waits for its own. */
const cancelsChildren = (isSoon = false): Change =>
  together(
    withFlowShown(ended),
    withFlows((flows) => ({
      get: async (flowId) => {
        const flow = await flows.get(flowId);
        return flow && ended(flow);
      },
      cancel: async (input) => {
        if (over.has(input.flowId)) return { found: true, cancelled: false, code: "terminal" };
        const result = await flows.cancel(input);
        if ((isSoon && (cancellations += 1) % 8 === 0) || !isPending(result) || !result.flow) return result;
        over.add(input.flowId);
        return { found: true, cancelled: true, flow: ended(result.flow), tasks: [] };
      },
      getTaskSummary: async (flowId) => {
        const summary = await flows.getTaskSummary(flowId);
        const isOver = over.has(flowId) || (isSoon && (await flows.get(flowId))?.cancelRequestedAt === undefined);
        return summary && isOver ? { ...summary, active: 0, terminal: summary.total } : summary;
      },
    })),
  );

function fromIso(value: Json | undefined): Json | undefined {
  if (value === undefined) return undefined;
  return typeof value === "string" ? Date.parse(value) : "not a text";
}

export const behaviour: readonly Different[] = lawful({
  "a read of an absent flow: an empty result": withOutcome(reading, (answer) =>
    Object.values(answer.result).includes(null) ? accept({}) : answer,
  ),
  "ids are UUIDs, read in either case": withRequest(({ flowId, ...body }) => ({
    ...body,
    ...(flowId !== undefined && { flowId: typeof flowId === "string" ? flowId.toLowerCase() : flowId }),
  })),
  "a cancelled flow loses its blockedSummary, a blocked one shows no state data; any other keeps both": withFlowShown(
    ({ blockedSummary, stateJson, ...flow }) => ({
      ...flow,
      ...(flow.status !== "cancelled" && blockedSummary !== undefined && { blockedSummary }),
      ...(flow.status !== "blocked" && stateJson !== undefined && { stateJson }),
    }),
  ),
  "who sends state or wait data replaces both, who sends neither keeps both": withCall("setWaiting", (input, flows) => {
    const { stateJson, waitJson } = input;
    const keeps = stateJson === undefined && waitJson === undefined;
    return flows.setWaiting(keeps ? input : { ...input, stateJson: stateJson ?? null, waitJson: waitJson ?? null });
  }),
  "request_cancel of a flow that was asked already is accepted and changes nothing": withCall(
    "requestCancel",
    async (input, flows) => {
      const flow = await flows.get(input.flowId);
      const isAgain = flow?.cancelRequestedAt !== undefined && flow.revision === input.expectedRevision;
      return flow && isAgain && !isTerminal(flow) ? { applied: true, flow } : flows.requestCancel(input);
    },
  ),
  "children end with their flow, so that none is active any more": cancelsChildren(),
  "children are over so soon that few cancellations meet an active one": cancelsChildren(true),
  "a token is no flow id": withFlows(() => ({ resolve: () => null })),
  "the form of state and wait data: texts of JSON, shown as what they hold": withStage("action", (exchange, right) => {
    const { body = {} } = exchange;
    if (body["action"] !== "set_waiting") return right();
    const texts = Object.entries(body).filter(([name]) => name === "stateJson" || name === "waitJson");
    if (texts.some(([, text]) => typeof text !== "string")) return reject("invalid_request");
    const held = tried(() => texts.map(([name, text]) => [name, JSON.parse(text as string) as Json]), undefined);
    return held ? right({ ...exchange, body: { ...body, ...Object.fromEntries(held) } }) : reject("invalid_request");
  }),
  "timestamps as ISO 8601 text": withRequest((body) => {
    const { action, startedAt, lastEventAt } = body;
    if (action !== "run_task") return body;
    const times = { startedAt: fromIso(startedAt), lastEventAt: fromIso(lastEventAt) };
    const given = Object.entries(times).filter(([, value]) => value !== undefined);
    return { ...body, ...(Object.fromEntries(given) as { [key: string]: Json }) };
  }),
  "an expectedRevision that no revision is: a conflict": withRequest((body) => {
    const { expectedRevision } = body;
    const odd = typeof expectedRevision === "number" && (expectedRevision < 0 || !Number.isInteger(expectedRevision));
    return odd ? { ...body, expectedRevision: 2 ** 40 } : body;
  }),
  "a runtime that answers with promises": { runtime: { awaited: true } },
  "the request fields of reads: all of them refused": withAction(
    ["get_flow", "resolve_flow", "get_task_summary", "list_flows", "find_latest_flow"],
    async () => reject("invalid_request"),
  ),
});
