/** Section 3: what each valid change does to a flow. */
import { randomUUID } from "node:crypto";
import { change } from "../../interface/bodies.ts";
import { idOf } from "../../interface/values.ts";
import type { ClauseId } from "../../interface/clauses/index.ts";
import { isAccepted, type Exchange } from "../../http/exchange.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, isShownAs, mustAccept, mustRefuse, twin, type FlowView } from "../../harness/checks.ts";
import {
  blockedFlow,
  flowAfter,
  guarded,
  mustApply,
  mustShow,
  readBack,
  shownIn,
  waitingFlow,
  type ChangeAction,
} from "../../harness/flows.ts";
import type { Trial } from "../../harness/trial.ts";

/** State with everything that mappers of JSON to objects and back are known to change. */
const given = {
  order_id: 7,
  camelCase: 1.5,
  when: "2026-01-01T00:00:00.000Z",
  "a.b": { "": [[true], []] },
  text: "1e3",
};

const transitions = [
  ["set_waiting", "waiting", ["ACTION-SET-WAITING", "STATE-SET-WAITING"]],
  ["finish_flow", "finished", ["ACTION-FINISH-FLOW", "STATE-FINISH"]],
  ["fail_flow", "failed", ["ACTION-FAIL-FLOW", "STATE-FAIL"]],
] as const satisfies readonly (readonly [ChangeAction, status: string, readonly ClauseId[]])[];

const transitionCases: readonly Case[] = transitions.map(([action, status, clauses]) => ({
  id: `ACTION-${idOf(action)}`,
  title: `${action} makes a flow \`${status}\``,
  clauses,
  requests: 4,
  async run(trial) {
    const flow = await trial.flow();
    const exchange = await mustApply(trial, action, flow);
    await mustShow(trial, exchange, flow.flowId, "status", status);
    await guarded(trial, trial.route);
  },
}));

/** Whether a flow that was given nothing but this field shows it. */
async function showsAlone(trial: Trial, name: string): Promise<boolean> {
  const flow = await trial.flow();
  const exchange = await trial.post(change("set_waiting", flow, { [name]: { alone: true } }));
  return isAccepted(exchange) && Object.hasOwn((await readBack(trial, flow.flowId)) ?? {}, name);
}

/** Fails where a view still shows the flow waiting or blocked. */
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
    requests: 6,
    async run(trial) {
      const waiting = await waitingFlow(trial);
      await mustHaveLeft(trial, await mustApply(trial, "resume_flow", waiting), waiting);
      await guarded(trial, trial.route);
    },
  },
  {
    id: "ACTION-RESUME-BLOCKED",
    title: "resume_flow resumes a blocked flow",
    clauses: ["STATE-RESUME"],
    requests: 6,
    reading:
      "How a flow becomes blocked is left open: the profile names a field of set_waiting that does it (fields.blockedSummary).",
    async run(trial) {
      const blocked = await blockedFlow(trial);
      await mustHaveLeft(trial, await mustApply(trial, "resume_flow", blocked), blocked);
    },
  },
  {
    id: "ACTION-REQUEST-CANCEL",
    title: "request_cancel is accepted for an existing flow, and changes it",
    clauses: ["ACTION-REQUEST-CANCEL", "STATE-REQUEST-CANCEL"],
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
    requests: 12,
    reading:
      "Their names are left open, the profile's `fields` give them; each is judged where a view of a flow shows it at all.",
    async run(trial) {
      const { stateData, waitData } = trial.profile.fields;
      const marker = randomUUID();
      const data = { [stateData]: { step: `state ${marker}` }, [waitData]: { for: `wait ${marker}` } };
      const flow = await trial.flow();
      const exchange = await trial.post(change("set_waiting", flow, data));
      if (!isAccepted(exchange)) {
        twin(await trial.post(change("set_waiting", flow)));
        throw new NotApplicable(`set_waiting does not take ${stateData} and ${waitData}`);
      }
      const view = await readBack(trial, flow.flowId);
      if (view === undefined) throw new NotApplicable("get_flow is not understood");
      if (![stateData, waitData].some((name) => Object.hasOwn(view, name))) {
        throw new NotApplicable(`no view shows ${stateData} or ${waitData}`);
      }
      for (const [name, text] of [
        [stateData, `state ${marker}`],
        [waitData, `wait ${marker}`],
      ] as const) {
        // Views may show only one of the two; a target that shows this one elsewhere has dropped it here.
        if (!Object.hasOwn(view, name) && !(await showsAlone(trial, name))) continue;
        const shown = JSON.stringify(view[name]) ?? "";
        check(shown.includes(text), `${name} as it was sent`, "another value", exchange);
      }
    },
  },
  {
    id: "ACTION-WAIT-DATA-EXACT",
    title: "State data is shown exactly as it was sent: names, fractions, texts that look like dates",
    clauses: ["STATE-SET-WAITING"],
    level: "should",
    requests: 6,
    reading:
      "Stored data is what was sent, as JSON or as JSON's text; judged where a view of the flow shows it at all.",
    async run(trial) {
      const { stateData } = trial.profile.fields;
      const flow = await trial.flow();
      const exchange = await trial.post(change("set_waiting", flow, { [stateData]: given }));
      if (!isAccepted(exchange)) {
        twin(await trial.post(change("set_waiting", flow)));
        throw new NotApplicable(`set_waiting does not take ${stateData}`);
      }
      const view = await readBack(trial, flow.flowId);
      const shown = view && Object.hasOwn(view, stateData) ? view[stateData] : undefined;
      if (shown === undefined) throw new NotApplicable(`get_flow does not show ${stateData}`);
      check(isShownAs(given, shown), `${stateData} as it was sent`, "another value", exchange);
    },
  },
  {
    id: "ACTION-CHANGE-OTHER-FIELDS",
    title: "A change cannot set goal, status or controllerId to what the request names",
    clauses: ["FLOW-GOAL", "STATE-SET-WAITING", "STATE-FINISH"],
    level: "should",
    requests: 24,
    reading:
      "These fields belong to create_flow. To refuse them is lawful as well; a target that lets a change set them says so elsewhere.",
    async run(trial) {
      const named = { goal: "another goal", controllerId: "conformance/another" };
      let accepted = 0;
      let shown = 0;
      for (const [action, status, other] of [
        ["set_waiting", "waiting", "finished"],
        ["finish_flow", "finished", "queued"],
      ] as const) {
        for (const [field, value] of Object.entries({ ...named, status: other })) {
          const flow = await trial.flow();
          const exchange = await trial.post(change(action, flow, { [field]: value }));
          if (!isAccepted(exchange)) continue;
          accepted += 1;
          const view = await readBack(trial, flow.flowId);
          const right = field === "status" ? status : flow[field];
          if (view?.[field] === undefined || right === undefined) continue;
          shown += 1;
          check(view[field] === right, `${field} as ${action} makes it`, `that of the request`, exchange);
        }
        twin(await trial.post(change(action, await trial.flow())));
      }
      if (accepted > 0 && shown === 0) throw new NotApplicable("no view shows a goal, a status or a controllerId");
    },
  },
  {
    id: "ACTION-SEVERAL-CHANGES",
    title: "A flow is taken through several changes, each with the revision of the one before",
    clauses: ["ACTION-SET-WAITING", "ACTION-RESUME-FLOW", "ACTION-FINISH-FLOW", "REVISION-ADVANCES"],
    requests: 16,
    async run(trial) {
      let flow = await trial.flow();
      const seen = new Set([flow.revision]);
      for (const action of ["set_waiting", "resume_flow", "set_waiting", "resume_flow", "finish_flow"] as const) {
        const exchange = await mustApply(trial, action, flow);
        const next = await flowAfter(trial, exchange, flow.flowId);
        check(!seen.has(next.revision), "a revision that the flow did not have before", "an old revision", exchange);
        seen.add(next.revision);
        flow = next;
      }
      await guarded(trial, trial.route);
    },
  },
];

export const changeCases: readonly Case[] = [...transitionCases, ...resuming];
