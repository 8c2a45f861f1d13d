/** Shapes of envelopes, results and records that the interface leaves open. */
import { randomUUID } from "node:crypto";
import { reject, type Answer } from "../../../plugin/answer.ts";
import type { FlowRecord } from "../../../plugin/ports.ts";
import type { Views } from "../../../plugin/views.ts";
import {
  together,
  withAction,
  withAnswer,
  withEnvelope,
  withFlowShown,
  withFlowView,
  withReply,
  withStage,
  withViews,
} from "../changes.ts";
import { renumbered } from "../runtime.ts";
import { lawful, type Change, type Different } from "../subject.ts";

type Result = Readonly<Record<string, unknown>>;

/** Changes the results of successes, or of rejections. */
const results = (ok: boolean, change: (result: Result) => object): Change =>
  withAnswer((answer: Answer) => (answer.ok === ok ? { ...answer, result: change(answer.result as Result) } : answer));

/** What list_flows answers. */
const lists = (result: (flows: readonly FlowRecord[], view: Views["flow"]) => object): Change =>
  withAction("list_flows", async ({ context: { flows, parts } }) => ({
    ok: true,
    result: result(await flows.list(), parts.views.flow),
  }));

/** A letter as JSON may write it. */
const escaped = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;

let counted = 1000;

/** The first revision, and what a change adds to it. */
const [FIRST, STEP] = [1_767_225_600_000, 997];

export const shapes: readonly Different[] = lawful({
  "a flow shown by flowId and revision only": withFlowView((_view, { flowId, revision }) => ({ flowId, revision })),
  "a flow shown by flowId, revision and status only": withFlowView((view) => {
    const { flowId, revision, status } = view as FlowRecord;
    return { flowId, revision, status };
  }),
  "more fields of a flow, null for what it does not have, and the target's own words for its current step":
    withFlowView((view, { flowId, revision, status }) => ({
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
  "a flow shown twice": results(true, ({ flow, ...result }) => (flow ? { flow, self: flow, ...result } : result)),
  "the flow as the result itself": results(true, (result) => {
    const { flow } = result;
    return typeof flow === "object" && flow !== null && !("tasks" in result || "task" in result) ? flow : result;
  }),
  "the result's content one level deeper": results(true, (result) => ({ data: result })),
  "a flow in a list of one": results(true, ({ flow, ...result }) => (flow ? { ...result, items: [flow] } : result)),
  "an empty result on every rejection": results(false, () => ({})),
  "other content of a rejection's result": results(false, () => ({ help: "https://docs.example" })),
  "more fields of the envelope, their order, null as code and error of a success, the text of an error": withEnvelope(
    (envelope) => {
      const more = { requestId: randomUUID(), at: 1, code: null, error: null, ...envelope, meta: { page: null } };
      const error = envelope["ok"] === false ? { error: "Das geht so nicht. ".repeat(20) } : {};
      return Object.fromEntries(Object.entries({ ...more, ...error }).toReversed());
    },
  ),
  "white space in the JSON text, and letters beyond ASCII escaped": withReply((reply) => {
    // The answer to HEAD has no body.
    const text = reply.text === "" ? "" : `${JSON.stringify(JSON.parse(reply.text), null, 4)}\r\n`;
    return { ...reply, text: text.replace(/[\u0080-\uffff]/g, escaped) };
  }),
  "ids that count in 32 bits, beyond which a number is no id": together(
    { runtime: { ids: () => String((counted += 1)) } },
    withStage("action", (exchange, right) => {
      const { flowId } = exchange.body ?? {};
      const isBeyond = typeof flowId === "string" && Number(flowId) >= 2 ** 31;
      return isBeyond ? reject("invalid_request") : right();
    }),
  ),
  "ids that are long, with signs in them and letters beyond ASCII": {
    runtime: { ids: () => `fl\u00f6w:${randomUUID().repeat(5)}/v1?a=b&c=%20` },
  },
  "the first revision and what a change adds: revisions like time stamps": renumbered({
    shown: (revision) => FIRST + STEP * revision,
    stored: (revision) => (revision - FIRST) / STEP,
  }),
  "state and wait data shown as the JSON text that they are stored as": withViews((views) => ({
    flow: ({ stateJson, waitJson, ...flow }) => ({
      ...views.flow(flow),
      ...(stateJson !== undefined && { stateJson: JSON.stringify(stateJson) }),
      ...(waitJson !== undefined && { waitJson: JSON.stringify(waitJson) }),
    }),
  })),
  "which of state and wait data a flow shows: the state alone": withFlowShown(({ waitJson: _kept, ...flow }) => flow),
  "what a list shows of a flow: its id alone": lists((flows) => ({ flows: flows.map(({ flowId }) => flowId) })),
  "the order of list_flows": lists((flows, view) => ({ flows: flows.toReversed().map(view) })),
  "a part of a long list": lists((flows, view) => ({ flows: flows.slice(0, 20).map(view), next: "20" })),
  "a task that is shown by nothing but its state, and the shape of a task summary": withViews(() => ({
    task: ({ status }) => ({ state: status }),
    summary: ({ total, active }) => ({ text: `${total} tasks, ${active} of them active` }),
  })),
});
