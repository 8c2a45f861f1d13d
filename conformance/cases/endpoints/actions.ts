/** Sections 2 to 4: creating and reading flows. */
import { change, createFlow, getFlow, getTaskSummary, resolveFlow } from "../../interface/bodies.ts";
import type { ActionName } from "../../interface/fields.ts";
import type { ActionBody } from "../../interface/request.ts";
import { envelopeOf, isAccepted, type Exchange } from "../../http/exchange.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowOf, flowsOf, mustAccept, mustRefuse, setUp, type FlowView } from "../../harness/checks.ts";
import {
  changeActions,
  changed,
  guarded,
  isListed,
  mustReadFields,
  mustShow,
  shownIn,
  twoFlows,
  understood,
  waitingFlow,
} from "../../harness/flows.ts";
import { startedTask } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

/** Reads with an action whose fields the profile names, and checks that the flow is shown. */
async function mustFetch(trial: Trial, body: ActionBody, action: ActionName, flow: FlowView): Promise<Exchange> {
  const exchange = understood(await trial.post(body), action);
  if (shownIn(exchange, flow.flowId) === undefined) await mustReadFields(trial, body, exchange);
  mustShowFlow(exchange, flow);
  return exchange;
}

const mustList = (exchange: Exchange, { flowId }: FlowView): void =>
  check(isListed(exchange, flowId), "the flow in the list", "a list without it", exchange);

function mustShowFlow(exchange: Exchange, flow: FlowView): void {
  check(shownIn(exchange, flow.flowId) !== undefined, "the flow in the result", "a result without it", exchange);
}

const creation: readonly Case[] = [
  {
    id: "ACTION-CREATE-FLOW",
    title: "create_flow gives a new flow with a string flowId and an integer revision",
    clauses: ["ACTION-CREATE-FLOW", "STATE-CREATE", "FLOW-IDENTITY"],
    requests: 2,
    async run(trial) {
      const ids = [];
      for (const goal of ["one flow", "another flow"]) {
        const exchange = mustAccept(await trial.post(createFlow(goal)));
        const [flow] = flowsOf(exchange);
        const actual = "a result without one";
        check(flow !== undefined, "an object with a string flowId and an integer revision", actual, exchange);
        ids.push(flow?.flowId);
      }
      check(ids[0] !== ids[1], "another flowId for another flow", "the same flowId");
    },
  },
  {
    id: "ACTION-CREATE-FLOW-TWICE",
    title: "Two equal create_flow requests give two flows",
    clauses: ["ACTION-CREATE-FLOW", "STATE-CREATE", "FLOW-IDENTITY"],
    requests: 2,
    reading:
      "Each create_flow creates a flow (sections 3 and 4); no goal has to be new, and nothing marks a request as a repetition. A target that refuses the second one is not judged.",
    async run(trial) {
      const body = createFlow("a flow that is asked for twice");
      const first = flowOf(setUp(await trial.post(body), "create_flow"));
      const exchange = await trial.post(body);
      if (!isAccepted(exchange)) throw new NotApplicable("a second flow with the same goal is refused");
      check(flowOf(exchange).flowId !== first.flowId, "a flow of its own", "the flow that was there", exchange);
    },
  },
  {
    id: "ACTION-CREATE-QUEUED",
    title: "create_flow with status `queued` makes a queued flow",
    clauses: ["STATE-CREATE"],
    requests: 2,
    async run(trial) {
      const exchange = mustAccept(await trial.post(createFlow("queued", { status: "queued" })));
      await mustShow(trial, exchange, flowOf(exchange).flowId, "status", "queued");
    },
  },
  {
    id: "ACTION-CREATE-NOTIFY-POLICY",
    title: "create_flow takes notifyPolicy `done_only`",
    clauses: ["ACTION-CREATE-FLOW"],
    requests: 2,
    async run(trial) {
      const exchange = mustAccept(await trial.post(createFlow("quiet", { notifyPolicy: "done_only" })));
      await mustShow(trial, exchange, flowOf(exchange).flowId, "notifyPolicy", "done_only");
    },
  },
];

const latestUpdated: readonly Case[] = [
  {
    id: "ACTION-FIND-LATEST-FLOW",
    title: "find_latest_flow gives the flow updated last, not the one created last",
    reading: "An update is any applied change. Time passes between the steps, so that no two have one time stamp.",
    update: "set_waiting" as const,
  },
  {
    id: "ACTION-FIND-LATEST-ENDED",
    title: "find_latest_flow gives a flow also when its last update ended it",
    reading: "The latest flow is the one updated last, whatever its state.",
    update: "finish_flow" as const,
  },
].map(({ id, title, reading, update }) => ({
  id,
  title,
  clauses: ["ACTION-FIND-LATEST-FLOW"],
  alone: true,
  requests: 8,
  reading,
  async run(trial) {
    const older = await trial.flow();
    await trial.pass(20);
    const newer = await trial.flow();
    await guarded(trial, trial.route);
    mustBe(await latest(trial), newer, "the flow created last");
    await trial.pass(20);
    await changed(trial, update, older);
    mustBe(await latest(trial), older, "the flow updated last");
  },
}));

const latestRefused: Case = {
  id: "ACTION-FIND-LATEST-REFUSED",
  title: "A change refused as stale does not make its flow the latest",
  clauses: ["ACTION-FIND-LATEST-FLOW", "REVISION-UNCHANGED"],
  alone: true,
  requests: 18,
  reading: "Nothing of the flow changed, so it was not updated.",
  async run(trial) {
    const stale = await trial.flow();
    await changed(trial, "set_waiting", stale);
    await trial.pass(20);
    const newer = await trial.flow();
    await guarded(trial, trial.route);
    mustBe(await latest(trial), newer, "the flow created last");
    for (const action of changeActions) {
      await trial.pass(20);
      mustRefuse(await trial.post(change(action, stale)), { status: 409, code: "revision_conflict" });
      mustBe(await latest(trial), newer, `still the flow created last, after a stale ${action}`);
    }
  },
};

const reads: readonly Case[] = [
  {
    id: "ACTION-GET-FLOW",
    title: "get_flow fetches the flow with that id",
    clauses: ["ACTION-GET-FLOW"],
    requests: 4,
    async run(trial) {
      for (const flow of await twoFlows(trial)) {
        const exchange = await mustFetch(trial, getFlow(flow.flowId, trial.profile.fields), "get_flow", flow);
        const shown = new Set(flowsOf(exchange).map(({ flowId }) => flowId));
        check(shown.size === 1, "one flow", "several flows", exchange);
        check(flowOf(exchange).revision === flow.revision, "its revision", "another revision", exchange);
      }
    },
  },
  {
    id: "ACTION-GET-FLOW-CURRENT",
    title: "get_flow shows the revision after the last change",
    clauses: ["ACTION-GET-FLOW"],
    requests: 6,
    async run(trial) {
      const waiting = await waitingFlow(trial);
      const exchange = await mustFetch(trial, getFlow(waiting.flowId, trial.profile.fields), "get_flow", waiting);
      const again = await trial.post(change("finish_flow", flowOf(exchange)));
      check(isAccepted(again), "a revision that a change may be sent with", "another one", exchange, again);
      await guarded(trial, trial.route);
    },
  },
  {
    id: "ACTION-LIST-FLOWS",
    title: "list_flows holds flows just created",
    clauses: ["ACTION-LIST-FLOWS"],
    requests: 3,
    reading: "A target may give a part of a long list; the flows created last are in the first one.",
    async run(trial) {
      const flows = await twoFlows(trial);
      const exchange = understood(await trial.post({ action: "list_flows" }), "list_flows");
      for (const flow of flows) mustList(exchange, flow);
    },
  },
  ...latestUpdated,
  latestRefused,
  {
    id: "ACTION-READ-ENDED",
    title: "get_flow and list_flows show flows that have ended",
    clauses: ["ACTION-GET-FLOW", "ACTION-LIST-FLOWS"],
    requests: 12,
    reading: "Neither action is limited to flows of some state. A target may give a part of a long list.",
    async run(trial) {
      const { fields } = trial.profile;
      const flows = await twoFlows(trial);
      for (const flow of flows) await mustFetch(trial, getFlow(flow.flowId, fields), "get_flow", flow);
      await changed(trial, "finish_flow", flows[0]);
      await changed(trial, "fail_flow", flows[1]);
      for (const flow of flows) mustShowFlow(await trial.post(getFlow(flow.flowId, fields)), flow);
      const list = understood(await trial.post({ action: "list_flows" }), "list_flows");
      for (const flow of flows) mustList(list, flow);
    },
  },
  {
    id: "ACTION-RESOLVE-FLOW",
    title: "resolve_flow finds a flow by a token: its id",
    clauses: ["ACTION-RESOLVE-FLOW"],
    requests: 3,
    reading: "A token is opaque; where the target takes a flow's id for one, it gives that flow and no other.",
    async run(trial) {
      const [flow] = await twoFlows(trial);
      const exchange = understood(await trial.post(resolveFlow(flow.flowId, trial.profile.fields)), "resolve_flow");
      const [found] = flowsOf(exchange);
      if (found === undefined) throw new NotApplicable("the target does not resolve a flow by its id");
      check(found.flowId === flow.flowId, "the flow of that id", "another flow", exchange);
    },
  },
  {
    id: "ACTION-GET-TASK-SUMMARY",
    title: "get_task_summary tells a flow with a child task from one without",
    clauses: ["ACTION-GET-TASK-SUMMARY"],
    requests: 8,
    reading: "The summary's shape is open; it changes when the flow gets its first child.",
    async run(trial) {
      const { flowId } = await trial.flow();
      const body = getTaskSummary(flowId, trial.profile.fields);
      const before = understood(await trial.post(body), "get_task_summary");
      await startedTask(trial, flowId);
      const after = mustAccept(await trial.post(body));
      const [empty, filled] = [before, after].map((exchange) => JSON.stringify(envelopeOf(exchange)?.result));
      if (empty === filled) await mustReadFields(trial, body, after);
      check(empty !== filled, "a summary that shows the child", "the same as without children", before, after);
    },
  },
];

async function latest(trial: Trial): Promise<Exchange> {
  return understood(await trial.post({ action: "find_latest_flow" }), "find_latest_flow");
}

function mustBe(exchange: Exchange, flow: FlowView, what: string): void {
  const [found] = flowsOf(exchange);
  const actual = found === undefined ? "no flow" : "another flow";
  check(found?.flowId === flow.flowId, what, actual, exchange);
}

export const actionCases: readonly Case[] = [...creation, ...reads];
