/** Shapes of envelopes, results and records that the interface leaves open. */
import { randomUUID } from "node:crypto";
import { reject, type Answer } from "../../../plugin/answer.ts";
import type { FlowRecord } from "../../../plugin/ports.ts";
import { both, withAction, withAnswer, withEnvelope, withFlows, withReply, withStage, withViews } from "../changes.ts";
import { subjectsOf, type Change, type Different } from "../subject.ts";

type Result = Readonly<Record<string, unknown>>;

/** Changes the results of successes. */
const successes = (change: (result: Result) => object): Change =>
  withAnswer((answer: Answer) => (answer.ok ? { ...answer, result: change(answer.result as Result) } : answer));

const only = (flow: FlowRecord, ...fields: (keyof FlowRecord)[]) =>
  Object.fromEntries(fields.map((field) => [field, flow[field]]));

let counted = 0;

/** What ids look like. */
const identified = Object.fromEntries(
  Object.entries({
    "ids-long": ["ids of 200 letters", () => randomUUID().repeat(6).slice(0, 200)] as const,
    "ids-signs": ["ids with signs in them", () => `flow:${randomUUID()}/v1?a=b&c=%20`] as const,
    "ids-unicode": ["ids beyond ASCII", () => `fl\u00f6w-${randomUUID()}`] as const,
  }).map(([id, [freedom, ids]]) => [id, { freedom, change: { runtime: { ids } } }]),
);

/** The first revision, and what a change adds to it. */
const numbered = Object.fromEntries(
  Object.entries({
    "first-revision-100": ["the first revision: 100", 100, 1] as const,
    "revision-step-large": ["revisions like time stamps", 1_767_225_600_000, 997] as const,
  }).map(([id, [freedom, first, step]]) => {
    const shown = (revision: number) => first + step * revision;
    const stored = (revision: number) => (revision - first) / step;
    return [id, { freedom, change: { runtime: { numbering: { shown, stored } } } }];
  }),
);

export const results: readonly Different[] = subjectsOf<Different>({
  "flow-bare": {
    freedom: "a flow shown by flowId and revision only",
    change: withViews(() => ({ flow: (flow) => only(flow, "flowId", "revision") })),
  },
  "flow-with-status": {
    freedom: "a flow shown by flowId, revision and status only",
    change: withViews((views) => ({
      flow: (flow) => {
        const { flowId, revision, status } = views.flow(flow) as FlowRecord;
        return { flowId, revision, status };
      },
    })),
  },
  "nothing-as-null": {
    freedom: "what a flow does not have is shown as null",
    change: withViews((views) => ({
      flow: (flow) => ({ waitJson: null, stateJson: null, blockedSummary: null, ...views.flow(flow) }),
    })),
  },
  "flow-rich": {
    freedom: "more fields of a flow",
    change: withViews((views) => ({
      flow: (flow) => ({ ...views.flow(flow), id: flow.flowId, version: flow.revision, links: [], tags: { a: null } }),
    })),
  },
  "flow-twice": {
    freedom: "a flow shown twice",
    change: successes(({ flow, ...result }) => (flow ? { flow, self: flow, ...result } : result)),
  },
  "result-is-flow": {
    freedom: "the flow as the result itself",
    change: successes((result) => {
      const { flow } = result;
      return typeof flow === "object" && flow !== null && !("tasks" in result || "task" in result) ? flow : result;
    }),
  },
  "result-deep": {
    freedom: "the result's content one level deeper",
    change: successes((result) => ({ data: result })),
  },
  "result-listed": {
    freedom: "a flow in a list of one",
    change: successes(({ flow, ...result }) => (flow ? { ...result, items: [flow] } : result)),
  },
  "conflict-result-empty": {
    freedom: "an empty result on every rejection",
    change: withAnswer((answer) => (answer.ok ? answer : { ...answer, result: {} })),
  },
  "conflict-result-text": {
    freedom: "other content of a rejection's result",
    change: withAnswer((answer) => (answer.ok ? answer : { ...answer, result: { help: "https://docs.example" } })),
  },
  "envelope-extra-fields": {
    freedom: "more fields of the envelope",
    change: withEnvelope((envelope) => ({ requestId: randomUUID(), at: 1, ...envelope, meta: { page: null } })),
  },
  "envelope-null-code": {
    freedom: "code and error of a success: null",
    change: withEnvelope((envelope) => (envelope["ok"] === true ? { code: null, error: null, ...envelope } : envelope)),
  },
  "envelope-order": {
    freedom: "the order of the envelope's fields",
    change: withEnvelope((envelope) => Object.fromEntries(Object.entries(envelope).toReversed())),
  },
  "envelope-pretty": {
    freedom: "white space in the JSON text",
    change: withReply((reply) =>
      // The answer to HEAD has no body.
      reply.text === "" ? reply : { ...reply, text: `${JSON.stringify(JSON.parse(reply.text), null, 4)}\r\n` },
    ),
  },
  "envelope-escaped": {
    freedom: "letters beyond ASCII escaped in the JSON text",
    change: withReply((reply) => ({
      ...reply,
      text: reply.text.replace(/[\u0080-\uffff]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`),
    })),
  },
  "error-other-language": {
    freedom: "the text of an error",
    change: withEnvelope((envelope) =>
      envelope["ok"] === false ? { ...envelope, error: "Das geht so nicht. ".repeat(20) } : envelope,
    ),
  },
  "ids-counted": {
    freedom: "ids that look like numbers",
    change: { runtime: { ids: () => String((counted += 1)) } },
  },
  "ids-of-32-bits": {
    freedom: "ids that count in 32 bits, beyond which a number is no id",
    change: both(
      { runtime: { ids: () => String(1000 + (counted += 1)) } },
      withStage("action", ({ run }) => (exchange) => {
        const { flowId } = exchange.body ?? {};
        const isBeyond = typeof flowId === "string" && Number(flowId) >= 2 ** 31;
        return isBeyond ? reject("invalid_request") : run(exchange);
      }),
    ),
  },
  ...identified,
  ...numbered,
  "resumed-active": {
    freedom: "the status after resume: active",
    change: withFlows((flows) => ({ resume: (input) => flows.resume({ ...input, status: "active" }) })),
  },
  "list-reversed": {
    freedom: "the order of list_flows",
    change: withAction("list_flows", () => ({
      run: async (_fields, { flows, parts }) => {
        const records = await flows.list();
        return { ok: true, result: { flows: records.toReversed().map((flow) => parts.views.flow(flow)) } };
      },
    })),
  },
  "state-data-as-text": {
    freedom: "state and wait data shown as the JSON text that they are stored as",
    change: withViews((views) => ({
      flow: ({ stateJson, waitJson, ...flow }) => ({
        ...views.flow(flow),
        ...(stateJson !== undefined && { stateJson: JSON.stringify(stateJson) }),
        ...(waitJson !== undefined && { waitJson: JSON.stringify(waitJson) }),
      }),
    })),
  },
  "wait-data-not-shown": {
    freedom: "which of state and wait data a flow shows: the state alone",
    change: withViews((views) => ({ flow: ({ waitJson: _kept, ...flow }) => views.flow(flow) })),
  },
  "current-step-of-its-own": {
    freedom: "a flow's current step: the target's own words for what it did last",
    change: withViews((views) => ({
      flow: (flow) => ({ ...views.flow(flow), currentStep: `${flow.status} since step ${flow.revision}` }),
    })),
  },
  "list-of-ids": {
    freedom: "what a list shows of a flow: its id alone",
    change: withAction("list_flows", () => ({
      run: async (_fields, { flows }) => {
        const ids = (await flows.list()).map(({ flowId }) => flowId);
        return { ok: true, result: { flows: ids } };
      },
    })),
  },
  "list-of-20": {
    freedom: "a part of a long list",
    change: withAction("list_flows", () => ({
      run: async (_fields, { flows, parts }) => {
        const page = (await flows.list()).slice(0, 20);
        return { ok: true, result: { flows: page.map((flow) => parts.views.flow(flow)), next: "20" } };
      },
    })),
  },
  "summary-text": {
    freedom: "the shape of a task summary",
    change: withViews(() => ({
      summary: ({ total, active }) => ({ text: `${total} tasks, ${active} of them active` }),
    })),
  },
  "task-bare": {
    freedom: "a task that is shown by nothing but its state",
    change: withViews(() => ({ task: ({ status }) => ({ state: status }) })),
  },
});
