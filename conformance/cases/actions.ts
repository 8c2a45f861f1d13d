/** Sections 3 and 4: what each of the 13 actions does when it is rightly asked for. run_task has a file of its own. */
import { randomUUID } from "node:crypto";
import { createFlow, change, getFlow, getTaskSummary, resolveFlow } from "../../fixtures/bodies.ts";
import type { Case } from "../case.ts";
import { check, flowOf, flowsOf, mustAccept, mustRefuse, setUp, twin, type FlowView } from "../checks.ts";
import type { ClauseId } from "../clauses/index.ts";
import { NotApplicable, Unreached } from "../findings.ts";
import { envelopeOf, isAccepted, type Exchange } from "../http/exchange.ts";
import type { Trial } from "../trial.ts";
import { refusedActionCases } from "./actions-refused.ts";
import { changed, mustApply, mustShow, readBack, shownIn, understood, waitingFlow } from "./flows.ts";
import { startedTask } from "./tasks.ts";

/** The flow that a read has to show. */
function mustShowFlow(exchange: Exchange, flow: FlowView): void {
  check(shownIn(exchange, flow.flowId) !== undefined, "the flow in the result", "a result without it", exchange);
}

const creation: readonly Case[] = [
  {
    id: "ACTION-CREATE-FLOW",
    title: "create_flow gives a new flow with a string flowId and an integer revision",
    clauses: ["ACTION-CREATE-FLOW", "STATE-CREATE", "FLOW-IDENTITY"],
    level: "must",
    requests: 2,
    async run(trial) {
      const ids = [];
      for (const goal of ["first", "second"]) {
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
    id: "ACTION-CREATE-QUEUED",
    title: "create_flow with status `queued` makes a queued flow",
    clauses: ["STATE-CREATE"],
    level: "must",
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
    level: "must",
    requests: 2,
    async run(trial) {
      const exchange = mustAccept(await trial.post(createFlow("quiet", { notifyPolicy: "done_only" })));
      await mustShow(trial, exchange, flowOf(exchange).flowId, "notifyPolicy", "done_only");
    },
  },
];

/** Texts that code mangles: other alphabets, signs with a meaning elsewhere, words that look like values. */
const goals = {
  UNICODE: ["Grüße aus Zürich, 世界, שלום", "🚀 👩‍👩‍👧‍👦", "e\u0301 is not \u00e9", "\u{10ffff}"],
  SIGNS: ['"quoted" and \\ back', "two\nlines\tand a tab", "</script><!--", "%00 %20 ${x} {{y}} $& '; --"],
  LITERALS: ["null", "0", "true", "[object Object]", "__proto__", "{}"],
};

const goalCases: readonly Case[] = Object.entries(goals).map(([id, texts]) => ({
  id: `ACTION-GOAL-${id}`,
  title: `A goal is kept as it was given: ${id.toLowerCase()}`,
  clauses: ["FLOW-GOAL"],
  level: "must",
  requests: 2 * texts.length,
  async run(trial) {
    for (const goal of texts) {
      const exchange = mustAccept(await trial.post(createFlow(goal)));
      await mustShow(trial, exchange, flowOf(exchange).flowId, "goal", goal);
    }
  },
}));

const reads: readonly Case[] = [
  {
    id: "ACTION-GET-FLOW",
    title: "get_flow fetches the flow with that id",
    clauses: ["ACTION-GET-FLOW"],
    level: "must",
    requests: 4,
    async run(trial) {
      const flows = [await trial.flow(), await trial.flow()];
      for (const flow of flows) {
        const exchange = understood(await trial.post(getFlow(flow.flowId, trial.profile.fields)), "get_flow");
        mustShowFlow(exchange, flow);
        check(flowsOf(exchange).length === 1, "one flow", "several flows", exchange);
        check(flowOf(exchange).revision === flow.revision, "its revision", "another revision", exchange);
      }
    },
  },
  {
    id: "ACTION-GET-FLOW-CURRENT",
    title: "get_flow shows the revision after the last change",
    clauses: ["ACTION-GET-FLOW"],
    level: "must",
    requests: 6,
    async run(trial) {
      const waiting = await waitingFlow(trial);
      const exchange = understood(await trial.post(getFlow(waiting.flowId, trial.profile.fields)), "get_flow");
      mustShowFlow(exchange, waiting);
      const again = await trial.post(change("finish_flow", flowOf(exchange)));
      check(isAccepted(again), "a revision that a change may be sent with", "another one", exchange, again);
    },
  },
  {
    id: "ACTION-LIST-FLOWS",
    title: "list_flows holds flows just created",
    clauses: ["ACTION-LIST-FLOWS"],
    level: "must",
    requests: 3,
    reading: "A target may give a part of a long list; the flows created last are in the first one.",
    async run(trial) {
      const flows = [await trial.flow(), await trial.flow()];
      const exchange = understood(await trial.post({ action: "list_flows" }), "list_flows");
      for (const flow of flows) mustShowFlow(exchange, flow);
    },
  },
  {
    id: "ACTION-FIND-LATEST-FLOW",
    title: "find_latest_flow gives the flow updated last, not the one created last",
    clauses: ["ACTION-FIND-LATEST-FLOW"],
    level: "must",
    alone: true,
    requests: 8,
    reading: "An update is any applied change. Time passes between the steps, so that no two have one time stamp.",
    async run(trial) {
      const older = await trial.flow();
      await trial.pass(20);
      const newer = await trial.flow();
      mustBe(await latest(trial), newer, "the flow created last");
      await trial.pass(20);
      await changed(trial, "set_waiting", older);
      mustBe(await latest(trial), older, "the flow updated last");
    },
  },
  {
    id: "ACTION-RESOLVE-FLOW",
    title: "resolve_flow finds a flow by a token: its id",
    clauses: ["ACTION-RESOLVE-FLOW"],
    level: "must",
    requests: 3,
    reading: "A token is opaque; where the target takes a flow's id for one, it gives that flow and no other.",
    async run(trial) {
      const flow = await trial.flow();
      await trial.flow();
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
    level: "must",
    requests: 8,
    reading: "The summary's shape is open; it changes when the flow gets its first child.",
    async run(trial) {
      const { flowId } = await trial.flow();
      const body = getTaskSummary(flowId, trial.profile.fields);
      const before = understood(await trial.post(body), "get_task_summary");
      await startedTask(trial, flowId);
      const after = mustAccept(await trial.post(body));
      const [empty, filled] = [before, after].map((exchange) => JSON.stringify(envelopeOf(exchange)?.result));
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

interface Transition {
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly ClauseId[];
  readonly action: "set_waiting" | "finish_flow" | "fail_flow";
  readonly status: string;
}

const transitions: readonly Transition[] = [
  {
    id: "ACTION-SET-WAITING",
    title: "set_waiting makes a flow `waiting`",
    clauses: ["ACTION-SET-WAITING", "STATE-SET-WAITING"],
    action: "set_waiting",
    status: "waiting",
  },
  {
    id: "ACTION-FINISH-FLOW",
    title: "finish_flow makes a flow `finished`",
    clauses: ["ACTION-FINISH-FLOW", "STATE-FINISH"],
    action: "finish_flow",
    status: "finished",
  },
  {
    id: "ACTION-FAIL-FLOW",
    title: "fail_flow makes a flow `failed`",
    clauses: ["ACTION-FAIL-FLOW", "STATE-FAIL"],
    action: "fail_flow",
    status: "failed",
  },
];

const transitionCases: readonly Case[] = transitions.map(({ id, title, clauses, action, status }) => ({
  id,
  title,
  clauses,
  level: "must",
  requests: 3,
  async run(trial) {
    const flow = await trial.flow();
    const exchange = await mustApply(trial, action, flow);
    await mustShow(trial, exchange, flow.flowId, "status", status);
  },
}));

/** A resumed flow is waiting or blocked no longer: where the target shows a status, it is another one. */
async function mustHaveLeft(trial: Trial, exchange: Exchange, flow: FlowView): Promise<void> {
  const views = [shownIn(exchange, flow.flowId), await readBack(trial, flow.flowId)];
  for (const status of views.map((view) => view?.["status"])) {
    check(status !== "waiting" && status !== "blocked", "a flow that goes on", `still ${String(status)}`, exchange);
  }
}

const resuming: readonly Case[] = [
  {
    id: "ACTION-RESUME-WAITING",
    title: "resume_flow resumes a waiting flow",
    clauses: ["ACTION-RESUME-FLOW", "STATE-RESUME"],
    level: "must",
    requests: 6,
    async run(trial) {
      const waiting = await waitingFlow(trial);
      await mustHaveLeft(trial, await mustApply(trial, "resume_flow", waiting), waiting);
    },
  },
  {
    id: "ACTION-RESUME-BLOCKED",
    title: "resume_flow resumes a blocked flow",
    clauses: ["STATE-RESUME"],
    level: "must",
    requests: 6,
    reading: "How a flow becomes blocked is left open: the profile names a field of set_waiting that does it.",
    async run(trial) {
      const flow = await trial.flow();
      const blocking = { [trial.profile.fields.blockedSummary]: "waits for somebody" };
      const exchange = await trial.post(change("set_waiting", flow, blocking));
      const blocked = isAccepted(exchange)
        ? (shownIn(exchange, flow.flowId) ?? (await readBack(trial, flow.flowId)))
        : undefined;
      if (blocked?.["status"] !== "blocked") throw new NotApplicable("no flow was made blocked by set_waiting");
      await mustHaveLeft(trial, await mustApply(trial, "resume_flow", blocked), flow);
    },
  },
  {
    id: "ACTION-REQUEST-CANCEL",
    title: "request_cancel is taken for an existing flow, and changes it",
    clauses: ["ACTION-REQUEST-CANCEL", "STATE-REQUEST-CANCEL"],
    level: "must",
    requests: 4,
    reading: "That something changed is seen by the revision: the one that it was sent with is stale afterwards.",
    async run(trial) {
      const flow = await trial.flow();
      const body = change("request_cancel", flow);
      mustAccept(await trial.post(body));
      mustRefuse(await trial.post(body), { status: 409, code: "revision_conflict" });
    },
  },
  {
    id: "ACTION-WAIT-DATA",
    title: "set_waiting stores the state and wait data that it is given",
    clauses: ["STATE-SET-WAITING"],
    level: "must",
    requests: 6,
    reading: "Their names are left open, the profile gives them; judged where a view of the flow shows them at all.",
    async run(trial) {
      const { stateData, waitData } = trial.profile.fields;
      const marker = randomUUID();
      const data = { [stateData]: { step: `state ${marker}` }, [waitData]: { for: `wait ${marker}` } };
      const flow = await trial.flow();
      const exchange = await trial.post(change("set_waiting", flow, data));
      if (!isAccepted(exchange)) {
        twin(await trial.post(change("set_waiting", flow)));
        throw new NotApplicable("the target does not take state and wait data under the profile's names");
      }
      const view = await readBack(trial, flow.flowId);
      if (view === undefined) throw new NotApplicable("get_flow is not understood");
      if (!(stateData in view) && !(waitData in view)) throw new NotApplicable("no view shows state or wait data");
      for (const [name, text] of [
        [stateData, `state ${marker}`],
        [waitData, `wait ${marker}`],
      ] as const) {
        const shown = JSON.stringify(view[name]) ?? "";
        check(shown.includes(text), `${name} as it was sent`, "another value", exchange);
      }
    },
  },
  {
    id: "ACTION-SEVERAL-CHANGES",
    title: "A flow is taken through several changes, each with the revision of the one before",
    clauses: ["ACTION-SET-WAITING", "ACTION-RESUME-FLOW", "ACTION-FINISH-FLOW", "REVISION-ADVANCES"],
    level: "must",
    requests: 16,
    async run(trial) {
      let flow = await trial.flow();
      const seen = new Set([flow.revision]);
      for (const action of ["set_waiting", "resume_flow", "set_waiting", "resume_flow", "finish_flow"] as const) {
        const exchange = await mustApply(trial, action, flow);
        const next = shownIn(exchange, flow.flowId) ?? (await readBack(trial, flow.flowId));
        if (next === undefined) throw new Unreached("no view shows the new revision", [setUp(exchange, action)]);
        check(!seen.has(next.revision), "a revision that the flow did not have before", "an old revision", exchange);
        seen.add(next.revision);
        flow = next;
      }
    },
  },
];

export const actionCases: readonly Case[] = [
  ...creation,
  ...goalCases,
  ...reads,
  ...transitionCases,
  ...resuming,
  ...refusedActionCases,
];
