/** What the interface leaves open about actions, as far as a profile binds it. */
import { change, createFlow, getFlow, getTaskSummary, resolveFlow, runTask, smallest } from "../../interface/bodies.ts";
import { unknownActions } from "../../interface/broken-requests.ts";
import { actionNames } from "../../interface/fields.ts";
import type { ActionBody } from "../../interface/request.ts";
import { idOf } from "../../interface/values.ts";
import type { GapId } from "../../interface/gaps.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowOf, flowsOf, mustAccept, mustRefuse, twin, type FlowView } from "../../harness/checks.ts";
import {
  absentId,
  cancelled,
  changeActions,
  changed,
  helpful,
  mustBeUnchanged,
  mustShow,
  readBack,
} from "../../harness/flows.ts";
import type { Trial } from "../../harness/trial.ts";
import { rightTask } from "../../harness/tasks.ts";

interface AbsentRead {
  readonly action: "get_flow" | "resolve_flow" | "get_task_summary";
  body(trial: Trial, flowId: string): ActionBody;
}

const reads: readonly AbsentRead[] = [
  { action: "get_flow", body: (trial, flowId) => getFlow(flowId, trial.profile.fields) },
  { action: "resolve_flow", body: (trial, flowId) => resolveFlow(flowId, trial.profile.fields) },
  { action: "get_task_summary", body: (trial, flowId) => getTaskSummary(flowId, trial.profile.fields) },
];

const absentReads: readonly Case[] = reads.map(({ action, body }) => ({
  id: `GAP-ABSENT-${idOf(action)}`,
  title: `${action} of a flow that does not exist is answered as the profile says`,
  clauses: ["ABSENT-READ"],
  gaps: ["absent-read"],
  requests: 3,
  async run(trial) {
    const { flowId } = await trial.flow();
    helpful(await trial.post(body(trial, flowId)), action);
    const exchange = await trial.post(body(trial, absentId(flowId)));
    if (trial.gap("absent-read") === "not_found") mustRefuse(exchange, { code: "not_found" });
    else mustAccept(exchange, "accepted, without a flow");
    check(flowsOf(exchange).length === 0, "no flow", "a flow", exchange);
  },
}));

interface Malformed {
  readonly id: string;
  readonly title: string;
  readonly gap: GapId & `validation.${string}`;
  readonly bodies: (flow: FlowView) => readonly unknown[];
}

/** What neighbours of the interface call states and policies, and other spellings of those that it names. */
const otherStatuses = ["conformance", "finished", "done", "succeeded", "cancelled", "paused", "Queued", "QUEUED"];
const otherPolicies = ["conformance", "done-only", "doneOnly", "DONE_ONLY", "none"];

const malformed: readonly Malformed[] = [
  {
    id: "UNKNOWN-ACTION",
    title: "an unknown action",
    gap: "validation.unknown-action",
    bodies: () => unknownActions.map((action) => ({ ...createFlow(), action })),
  },
  {
    id: "NO-ACTION",
    title: "no action, or one that is no text",
    gap: "validation.unknown-action",
    bodies: () => [
      {},
      { goal: "no action" },
      { action: null },
      { action: 1 },
      { action: ["create_flow"], goal: "list" },
    ],
  },
  {
    id: "UNKNOWN-FIELD",
    title: "a field that the action does not have",
    gap: "validation.unknown-field",
    bodies: (flow) => actionNames.map((action) => ({ ...smallest(action, flow), conformance: true })),
  },
  {
    id: "BLANK-TEXT",
    title: "a required text that is blank",
    gap: "validation.blank-text",
    bodies: (flow) => [
      createFlow(""),
      createFlow(" \t\n "),
      { ...change("finish_flow", flow), flowId: "" },
      { ...change("finish_flow", flow), flowId: "  " },
      runTask(flow.flowId, { task: " " }),
      runTask(flow.flowId, { runtime: "" }),
    ],
  },
  {
    id: "MISSING-FIELD",
    title: "no goal, no runtime or no task",
    gap: "validation.missing-field",
    bodies: (flow) => [
      createFlow(undefined, { goal: undefined }),
      runTask(flow.flowId, { runtime: undefined }),
      runTask(flow.flowId, { task: undefined }),
    ],
  },
  {
    id: "WRONG-TYPE",
    title: "a text field of another type",
    gap: "validation.wrong-type",
    bodies: (flow) => [
      ...[1, true, null, ["goal"], { goal: "goal" }].map((goal) => createFlow("", { goal })),
      createFlow("typed", { status: 1 }),
      createFlow("typed", { notifyPolicy: { done_only: true } }),
      { ...change("finish_flow", flow), flowId: [flow.flowId] },
      { ...change("finish_flow", flow), flowId: { flowId: flow.flowId } },
      runTask(flow.flowId, { task: 1 }),
      runTask(flow.flowId, { childSessionKey: 1 }),
    ],
  },
  {
    id: "OTHER-VALUE",
    title: "an unknown status or policy",
    gap: "validation.wrong-type",
    bodies: (flow) => [
      ...otherStatuses.map((status) => createFlow("valued", { status })),
      ...otherPolicies.map((notifyPolicy) => createFlow("valued", { notifyPolicy })),
      ...["conformance", "done", "paused", "RUNNING", "running "].map((status) => runTask(flow.flowId, { status })),
    ],
  },
];

const malformedCases: readonly Case[] = malformed.map(({ id, title, gap, bodies }) => ({
  id: `GAP-${id}`,
  title: `A request with ${title} is refused with the profile's code and changes nothing`,
  clauses: ["VALIDATION"],
  gaps: [gap],
  requests: 30,
  async run(trial) {
    twin(await trial.post(createFlow()));
    const flow = await trial.flow();
    twin(await trial.post(await rightTask(trial, (await trial.flow()).flowId)));
    const before = await readBack(trial, flow.flowId);
    const code = trial.gap(gap);
    // The status of this code is stated.
    const as = code === "invalid_request" ? { status: 400, code } : { code };
    for (const body of bodies(flow) as readonly ActionBody[]) {
      const needed = body.action === "run_task" ? await rightTask(trial, flow.flowId) : {};
      mustRefuse(await trial.post({ ...needed, ...body }), as);
    }
    await mustBeUnchanged(trial, before);
    twin(await trial.post(change("finish_flow", flow)));
  },
}));

/** A change of a flow that has ended, with its current revision: refused for the flow's state alone. */
const endings = ["finish_flow", "fail_flow", "cancel_flow"] as const;

const endedCases: readonly Case[] = endings.map((ending) => ({
  id: `GAP-ENDED-BY-${idOf(ending)}`,
  title: `After ${ending} every change is refused with the profile's code`,
  clauses: ["STATE-TERMINAL"],
  gaps: ["terminal.code"],
  requests: 14,
  async run(trial) {
    const flow = await trial.flow();
    if (ending === "cancel_flow") await cancelled(trial, flow.flowId);
    else await changed(trial, ending, flow);
    const ended = (await readBack(trial, flow.flowId)) ?? flow;
    for (const action of changeActions) {
      const refused = mustRefuse(await trial.post(change(action, ended)), { code: trial.gap("terminal.code") });
      await mustBeUnchanged(trial, ended, refused);
    }
  },
}));

const defaults: readonly Case[] = [
  {
    id: "GAP-FIRST-REVISION",
    title: "A new flow has the profile's first revision",
    clauses: ["STATE-DEFAULTS"],
    gaps: ["flow.first-revision"],
    requests: 2,
    async run(trial) {
      const exchange = mustAccept(await trial.post(createFlow()));
      const expected = trial.gap("flow.first-revision");
      const { revision } = flowOf(exchange);
      check(revision === expected, `revision: ${expected}`, `revision: ${revision}`, exchange);
    },
  },
  {
    id: "GAP-REVISION-STEP",
    title: "Each applied change adds the profile's step to the revision",
    clauses: ["STATE-DEFAULTS"],
    gaps: ["flow.revision-step"],
    requests: 12,
    async run(trial) {
      let flow = await trial.flow();
      for (const action of ["set_waiting", "resume_flow", "request_cancel", "finish_flow"] as const) {
        const next = await changed(trial, action, flow);
        const step = trial.gap("flow.revision-step");
        const actual = `+${next.revision - flow.revision}`;
        check(next.revision - flow.revision === step, `+${step}`, actual, ...trial.last);
        flow = next;
      }
    },
  },
  ...(["status", "notifyPolicy"] as const).map((field): Case => {
    const gap = field === "status" ? "flow.default-status" : "flow.default-notify-policy";
    return {
      id: field === "status" ? "GAP-DEFAULT-STATUS" : "GAP-DEFAULT-NOTIFY-POLICY",
      title: `A flow created without ${field} gets the profile's one`,
      clauses: ["STATE-DEFAULTS"],
      gaps: [gap],
      requests: 2,
      async run(trial) {
        const exchange = mustAccept(await trial.post(createFlow()));
        await mustShow(trial, exchange, flowOf(exchange).flowId, field, trial.gap(gap));
      },
    };
  }),
  {
    id: "GAP-RESUMED-STATUS",
    title: "A flow resumed without a status gets the profile's one",
    clauses: ["STATE-DEFAULTS"],
    gaps: ["flow.resumed-status"],
    requests: 5,
    async run(trial) {
      const waiting = await changed(trial, "set_waiting", await trial.flow());
      const exchange = mustAccept(await trial.post(change("resume_flow", waiting)));
      await mustShow(trial, exchange, waiting.flowId, "status", trial.gap("flow.resumed-status"));
    },
  },
];

export const gapActionCases: readonly Case[] = [
  ...absentReads,
  ...malformedCases,
  ...endedCases,
  ...defaults,
  {
    id: "GAP-RESUME-CODE",
    title: "resume_flow of a flow neither waiting nor blocked has the profile's code",
    clauses: ["STATE-RESUME-ONLY", "VALIDATION"],
    gaps: ["resume.code"],
    requests: 4,
    async run(trial) {
      const flow = await trial.flow({ status: "queued" });
      mustRefuse(await trial.post(change("resume_flow", flow)), { code: trial.gap("resume.code") });
      twin(await trial.post(change("set_waiting", flow)));
    },
  },
];
