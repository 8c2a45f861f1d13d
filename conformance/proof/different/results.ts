/** Freedoms in the shape of envelopes, results and records, in what only the next read shows, and in how an answer comes. */
import { randomUUID } from "node:crypto";
import { accept, reject, type Answer } from "../../../plugin/answer.ts";
import type { JsonObject } from "../../../plugin/json.ts";
import type { FlowRecord } from "../../../plugin/ports.ts";
import type { Views } from "../../../plugin/views.ts";
import { changeActions } from "../../interface/flow-model.ts";
import {
  endsConnection,
  together,
  withEnvelope,
  withFlowShown,
  withHandler,
  withOutcome,
  withViews,
  withAction,
  withAnswer,
  withCall,
  withFlowView,
  withReply,
  withRequest,
  withStage,
} from "../changes.ts";
import { renumbered } from "../runtime.ts";
import { lawful, type Different, type Change } from "../subject.ts";

/** Shows flows of a set with another status. */
const shownAs = (flows: ReadonlySet<string>, status: string, from: (flow: FlowRecord) => boolean) =>
  withFlowShown((flow) => (flows.has(flow.flowId) && from(flow) ? { ...flow, status } : flow));
// Shared by all routes of a session.
const cancelledAgain = new Set<string>();
const going = new Set<string>();

const lettersOf = (id: string): string => id.replaceAll(/[^a-z]/g, "");

type Result = Readonly<Record<string, unknown>>;

/** Changes the results of successes, or of rejections. */
const withResults = (ok: boolean, change: (result: Result) => object): Change =>
  withAnswer((answer: Answer) => (answer.ok === ok ? { ...answer, result: change(answer.result as Result) } : answer));

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

/** How such ids begin, and what becomes of those that do not. */
const [OWN, UNKNOWN] = ["taskflow_", "none:"];

function takenBack(name: "flowId" | "token", { [name]: sent }: JsonObject): JsonObject {
  if (typeof sent !== "string" || sent.trim() === "") return {};
  const shown = sent.trim();
  if (shown.startsWith(OWN)) return { [name]: shown.slice(OWN.length) };
  // A session's key is a token as well.
  return name === "token" ? {} : { [name]: `${UNKNOWN}${shown}` };
}

export const results: readonly Different[] = lawful({
  "the result of run_task shows the task only": withOutcome("run_task", (answer) => {
    const { task } = answer.result as { task?: unknown };
    return answer.ok ? accept({ task }) : answer;
  }),
  "an empty result of each change, and of run_task": withOutcome([...changeActions, "run_task"], (answer) =>
    answer.ok ? accept({}) : answer,
  ),
  "cancel_flow makes a cancelled flow of one that has ended": together(
    withOutcome("cancel_flow", (answer, { flowId }) => {
      if (answer.code !== "terminal") return answer;
      cancelledAgain.add(flowId as string);
      const { flow } = answer.result as { flow?: object };
      return accept({ found: true, cancelled: true, ...(flow && { flow: { ...flow, status: "cancelled" } }) });
    }),
    shownAs(cancelledAgain, "cancelled", () => true),
  ),
  "a flow with a task is running, at the revision that it had": together(
    withCall("runTask", async (input, flows) => {
      const result = await flows.runTask(input);
      if (result.created) going.add(input.flowId);
      return result;
    }),
    shownAs(going, "running", ({ status }) => status === "queued"),
  ),
  "a task that names its flow and has a revision of its own": withViews((views) => ({
    task: (task) => ({ ...views.task(task), flowId: "its flow", revision: 1 }),
  })),
  "ok: false in the 202 of a cancellation that is pending, whose code is one of the errors": withEnvelope(
    (envelope, status) =>
      status === 202 ? { ...envelope, ok: false, error: "Child tasks are still active." } : envelope,
  ),
  "102 Processing before each answer": withHandler((handler) => (request, response) => {
    response.writeProcessing();
    return handler(request, response);
  }),
  "every refusal of a request that is whole ends its connection": endsConnection((status) =>
    [400, 404, 409, 503].includes(status),
  ),
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
  "a flow shown twice": withResults(true, ({ flow, ...result }) => (flow ? { flow, self: flow, ...result } : result)),
  "the flow as the result itself": withResults(true, (result) => {
    const { flow } = result;
    return typeof flow === "object" && flow !== null && !("tasks" in result || "task" in result) ? flow : result;
  }),
  "the result's content one level deeper": withResults(true, (result) => ({ data: result })),
  "a flow in a list of one": withResults(true, ({ flow, ...result }) => (flow ? { ...result, items: [flow] } : result)),
  "an empty result on every rejection": withResults(false, () => ({})),
  "other content of a rejection's result": withResults(false, () => ({ help: "https://docs.example" })),
  "more fields of the envelope, their order, null as code and error of a success, the text of an error": withEnvelope(
    (envelope, status) => {
      const more = { requestId: randomUUID(), at: 1, code: null, error: null, ...envelope, meta: { page: null } };
      // That of an authentication failure is generic.
      const own = status === 401 ? "" : lettersOf(randomUUID());
      const error = envelope["ok"] === false ? { error: `${own} ${"Das geht so nicht. ".repeat(20)}` } : {};
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
  "flow ids shown in a form of the plugin's own, which it alone takes back": together(
    withFlowShown((flow) => ({ ...flow, flowId: `${OWN}${flow.flowId}` })),
    withViews((views) => ({
      task: ({ parentFlowId, ...task }) => views.task({ ...task, parentFlowId: `${OWN}${parentFlowId}` }),
    })),
    withRequest((body) => ({ ...body, ...takenBack("flowId", body), ...takenBack("token", body) })),
  ),
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
