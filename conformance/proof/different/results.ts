/** Shapes of envelopes, results and records that the interface leaves open. */
import { randomUUID } from "node:crypto";
import { reject, type Answer } from "../../../plugin/answer.ts";
import type { FlowRecord } from "../../../plugin/ports.ts";
import type { Views } from "../../../plugin/views.ts";
import {
  both,
  withAction,
  withAnswer,
  withEnvelope,
  withFlows,
  withFlowShown,
  withFlowView,
  withReply,
  withStage,
  withViews,
} from "../changes.ts";
import { subjectsOf, type Change, type Different } from "../subject.ts";

type Result = Readonly<Record<string, unknown>>;

/** Changes the results of successes, or of rejections. */
const results = (ok: boolean, change: (result: Result) => object): Change =>
  withAnswer((answer: Answer) => (answer.ok === ok ? { ...answer, result: change(answer.result as Result) } : answer));

/** What list_flows answers. */
const lists = (result: (flows: readonly FlowRecord[], view: Views["flow"]) => object): Change =>
  withAction("list_flows", () => ({
    run: async (_fields, { flows, parts }) => ({ ok: true, result: result(await flows.list(), parts.views.flow) }),
  }));

/** A letter as JSON may write it. */
const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;

let counted = 1000;

/** The first revision, and what a change adds to it. */
const [FIRST, STEP] = [1_767_225_600_000, 997];

export const shapes: readonly Different[] = subjectsOf<Different>({
  "flow-bare": {
    freedom: "a flow shown by flowId and revision only",
    change: withFlowView((_view, { flowId, revision }) => ({ flowId, revision })),
  },
  "flow-with-status": {
    freedom: "a flow shown by flowId, revision and status only",
    change: withFlowView((view) => {
      const { flowId, revision, status } = view as FlowRecord;
      return { flowId, revision, status };
    }),
  },
  "flow-rich": {
    freedom: "more fields of a flow, null for what it does not have, and the target's own words for its current step",
    change: withFlowView((view, { flowId, revision, status }) => ({
      waitJson: null,
      stateJson: null,
      blockedSummary: null,
      ...view,
      id: flowId,
      version: revision,
      links: [],
      tags: { a: null },
      currentStep: `${status} since step ${revision}`,
    })),
  },
  "flow-twice": {
    freedom: "a flow shown twice",
    change: results(true, ({ flow, ...result }) => (flow ? { flow, self: flow, ...result } : result)),
  },
  "result-is-flow": {
    freedom: "the flow as the result itself",
    change: results(true, (result) => {
      const { flow } = result;
      return typeof flow === "object" && flow !== null && !("tasks" in result || "task" in result) ? flow : result;
    }),
  },
  "result-deep": {
    freedom: "the result's content one level deeper",
    change: results(true, (result) => ({ data: result })),
  },
  "result-listed": {
    freedom: "a flow in a list of one",
    change: results(true, ({ flow, ...result }) => (flow ? { ...result, items: [flow] } : result)),
  },
  "conflict-result-empty": {
    freedom: "an empty result on every rejection",
    change: results(false, () => ({})),
  },
  "conflict-result-text": {
    freedom: "other content of a rejection's result",
    change: results(false, () => ({ help: "https://docs.example" })),
  },
  "envelope-otherwise": {
    freedom: "more fields of the envelope, their order, null as code and error of a success, the text of an error",
    change: withEnvelope((envelope) => {
      const more = { requestId: randomUUID(), at: 1, code: null, error: null, ...envelope, meta: { page: null } };
      const error = envelope["ok"] === false ? { error: "Das geht so nicht. ".repeat(20) } : {};
      return Object.fromEntries(Object.entries({ ...more, ...error }).toReversed());
    }),
  },
  "envelope-text": {
    freedom: "white space in the JSON text, and letters beyond ASCII escaped",
    change: withReply((reply) => {
      // The answer to HEAD has no body.
      const text = reply.text === "" ? "" : `${JSON.stringify(JSON.parse(reply.text), null, 4)}\r\n`;
      return { ...reply, text: text.replace(/[\u0080-\uffff]/g, escaped) };
    }),
  },
  "ids-of-32-bits": {
    freedom: "ids that count in 32 bits, beyond which a number is no id",
    change: both(
      { runtime: { ids: () => String((counted += 1)) } },
      withStage("action", ({ run }) => (exchange) => {
        const { flowId } = exchange.body ?? {};
        const isBeyond = typeof flowId === "string" && Number(flowId) >= 2 ** 31;
        return isBeyond ? reject("invalid_request") : run(exchange);
      }),
    ),
  },
  "ids-odd": {
    freedom: "ids that are long, with signs in them and letters beyond ASCII",
    change: { runtime: { ids: () => `fl\u00f6w:${randomUUID().repeat(5)}/v1?a=b&c=%20` } },
  },
  "revisions-large": {
    freedom: "the first revision and what a change adds: revisions like time stamps",
    change: {
      runtime: {
        numbering: {
          shown: (revision) => FIRST + STEP * revision,
          stored: (revision) => (revision - FIRST) / STEP,
        },
      },
    },
  },
  "statuses-of-its-own": {
    freedom: "the status after resume: active; and after request_cancel: cancelling",
    change: both(
      withFlows((flows) => ({ resume: (input) => flows.resume({ ...input, status: "active" }) })),
      withFlowShown((flow) => {
        const isAsked = flow.cancelRequestedAt !== undefined && ["queued", "waiting"].includes(flow.status);
        return isAsked ? { ...flow, status: "cancelling" } : flow;
      }),
    ),
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
    change: withFlowShown(({ waitJson: _kept, ...flow }) => flow),
  },
  "list-of-ids": {
    freedom: "what a list shows of a flow: its id alone",
    change: lists((flows) => ({ flows: flows.map(({ flowId }) => flowId) })),
  },
  "list-reversed": {
    freedom: "the order of list_flows",
    change: lists((flows, view) => ({ flows: flows.toReversed().map(view) })),
  },
  "list-of-20": {
    freedom: "a part of a long list",
    change: lists((flows, view) => ({ flows: flows.slice(0, 20).map(view), next: "20" })),
  },
  "task-bare": {
    freedom: "a task that is shown by nothing but its state, and the shape of a task summary",
    change: withViews(() => ({
      task: ({ status }) => ({ state: status }),
      summary: ({ total, active }) => ({ text: `${total} tasks, ${active} of them active` }),
    })),
  },
});
