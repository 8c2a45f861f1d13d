/** What the interface leaves open about actions, as far as a profile binds it. */
import { change, createFlow, smallest } from "../../interface/bodies.ts";
import { idOf } from "../../interface/values.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowOf, flowsOf, mustAccept, mustRefuse, mustTakeTwin } from "../../harness/checks.ts";
import { absentId, sendChange, mustHelp, mustShow } from "../../harness/flows.ts";

const absentReads = (["get_flow", "resolve_flow", "get_task_summary"] as const).map((action): Case => ({
  id: `GAP-ABSENT-${idOf(action)}`,
  title: `${action} of a flow that does not exist is answered as the profile says`,
  clauses: ["ABSENT-READ"],
  gaps: ["absent-read"],
  requests: 3,
  async run(trial) {
    const flow = await trial.flow();
    const read = (flowId: string) => trial.post(smallest(action, { ...flow, flowId }, trial.profile.fields));
    mustHelp(await read(flow.flowId), action);
    const exchange = await read(absentId(flow.flowId));
    if (trial.gap("absent-read") === "not_found") mustRefuse(exchange, { code: "not_found" });
    else mustAccept(exchange, "accepted, without a flow");
    check(flowsOf(exchange).length === 0, "no flow", "a flow", exchange);
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
        const next = await sendChange(trial, action, flow);
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
      const waiting = await sendChange(trial, "set_waiting", await trial.flow());
      const exchange = mustAccept(await trial.post(change("resume_flow", waiting)));
      await mustShow(trial, exchange, waiting.flowId, "status", trial.gap("flow.resumed-status"));
    },
  },
];

export const gapActionCases: readonly Case[] = [
  ...absentReads,
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
      mustTakeTwin(await trial.post(change("set_waiting", flow)));
    },
  },
];
