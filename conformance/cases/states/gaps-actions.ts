/** What the interface leaves open about actions, as far as a profile binds it. */
import { change, createFlow, getFlow, runTask, smallest } from "../../interface/bodies.ts";
import type { ActionBody } from "../../interface/request.ts";
import { isAccepted, type Exchange } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { flowOf, flowsOf, mustAccept, mustTakeTwin, type FlowView } from "../../harness/checks.ts";
import { absentId, endFlow, endings, readBack, sendCancel, sendChange, waitingFlow } from "../../harness/flows.ts";
import { codeOf, flowField, mustFit, openValues, refusedCode, refusedStatus } from "../../harness/open-values.ts";
import { mustBePending, rightTask, startedTask } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

const viewed = (trial: Trial, flowId: string) => trial.post(getFlow(flowId, trial.profile.fields));

/** The response to a request about a flow that has ended, for each way to end. */
async function onceEnded(trial: Trial, bodyOf: (flow: FlowView) => ActionBody | Promise<ActionBody>) {
  const exchanges: Exchange[] = [];
  for (const ending of endings) {
    const flow = await trial.flow();
    await endFlow(trial, ending, flow);
    exchanges.push(await trial.post(await bodyOf((await readBack(trial, flow.flowId)) ?? flow)));
  }
  return exchanges;
}

/** A task that the target takes. */
const takenTask = async (trial: Trial): Promise<Exchange> =>
  mustTakeTwin(await trial.post(await rightTask(trial, (await trial.flow()).flowId)));

export const gapActionCases: readonly Case[] = [
  openValues({
    id: "GAP-ABSENT-READ",
    title: "A read of a flow that does not exist is answered as the profile says, without a flow",
    clauses: ["ABSENT-READ"],
    reads: {
      "absent-read": (exchange) =>
        isAccepted(exchange) ? (flowsOf(exchange).length === 0 ? "null" : null) : refusedCode(exchange),
    },
    requests: 7,
    async shown(trial) {
      const flow = await trial.flow();
      const exchanges: Exchange[] = [];
      for (const action of ["get_flow", "resolve_flow", "get_task_summary"] as const) {
        const read = (flowId: string) => trial.post(smallest(action, { ...flow, flowId }, trial.profile.fields));
        if (isAccepted(await read(flow.flowId))) exchanges.push(await read(absentId(flow.flowId)));
      }
      return exchanges;
    },
  }),
  openValues({
    id: "GAP-CREATED",
    title: "A new flow has the profile's revision, and without a status or a notifyPolicy those of the profile",
    clauses: ["STATE-DEFAULTS"],
    reads: {
      "flow.first-revision": flowField("revision"),
      "flow.default-status": flowField("status"),
      "flow.default-notify-policy": flowField("notifyPolicy"),
    },
    requests: 2,
    async shown(trial) {
      const created = mustAccept(await trial.post(createFlow()));
      return [created, await viewed(trial, flowOf(created).flowId)];
    },
  }),
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
        mustFit(trial, "flow.revision-step", next.revision - flow.revision, ...trial.last);
        flow = next;
      }
    },
  },
  openValues({
    id: "GAP-RESUMED-STATUS",
    title: "A flow resumed without a status gets the profile's one",
    clauses: ["STATE-DEFAULTS"],
    reads: { "flow.resumed-status": flowField("status") },
    requests: 5,
    async shown(trial) {
      const waiting = await waitingFlow(trial);
      return [mustAccept(await trial.post(change("resume_flow", waiting))), await viewed(trial, waiting.flowId)];
    },
  }),
  openValues({
    id: "GAP-RESUME-CODE",
    title: "resume_flow of a flow neither waiting nor blocked has the profile's code",
    clauses: ["STATE-RESUME-ONLY", "VALIDATION"],
    reads: { "resume.code": refusedCode },
    requests: 4,
    async shown(trial) {
      const flow = await trial.flow({ status: "queued" });
      const resumed = await trial.post(change("resume_flow", flow));
      mustTakeTwin(await trial.post(change("set_waiting", flow)));
      return [resumed];
    },
  }),
  openValues({
    id: "GAP-ENDED",
    title: "Once a flow has ended, in each way, a change and cancel_flow are refused with the profile's code",
    clauses: ["STATE-TERMINAL", "ERROR-CANCEL-CODES"],
    reads: { "terminal.code": refusedCode },
    requests: 20,
    reading: "The rows of STATES-* judge each action with the same value.",
    shown: async (trial) => [
      ...(await onceEnded(trial, (flow) => change("set_waiting", flow))),
      ...(await onceEnded(trial, (flow) => smallest("cancel_flow", flow, trial.profile.fields))),
    ],
  }),
  openValues({
    id: "RUN-TASK-ENDED",
    title: "run_task in an ended flow is refused with the profile's code",
    clauses: ["STATE-TERMINAL"],
    reads: { "task.ended-code": refusedCode },
    requests: 20,
    async shown(trial) {
      await takenTask(trial);
      return onceEnded(trial, ({ flowId }) => rightTask(trial, flowId));
    },
  }),
  openValues({
    id: "RUN-TASK-CANCEL-REQUESTED",
    title: "run_task after request_cancel gets cancel_requested with the profile's status",
    clauses: ["ERROR-CANCEL-CODES"],
    reads: { "status.cancel_requested": refusedStatus("cancel_requested") },
    requests: 10,
    async shown(trial) {
      await takenTask(trial);
      const { flowId } = await sendChange(trial, "request_cancel", await trial.flow());
      return [await trial.post(await rightTask(trial, flowId))];
    },
  }),
  openValues({
    id: "RUN-TASK-FOREIGN-CHILD",
    title: "run_task with a childSessionKey of another session is refused with the profile's code",
    clauses: ["SESSION-BOUND"],
    reads: { "task.foreign-child-code": refusedCode },
    requests: 8,
    reading: "Else a route would act with the authority of a session that is not its own (section 5, rule 7).",
    async shown(trial) {
      await takenTask(trial);
      const [{ flowId }, { sessionKey }] = [await trial.flow(), trial.stranger];
      // A session with a flow exists.
      await trial.flow({}, trial.stranger);
      return [await trial.post(runTask(flowId, { childSessionKey: sessionKey }))];
    },
  }),
  openValues({
    id: "RUN-TASK-KEEPS-REVISION",
    title: "run_task leaves the flow's revision as it is",
    clauses: ["STATE-DEFAULTS"],
    reads: { "task.keeps-revision": isAccepted },
    requests: 6,
    reading: "Seen by a change with the revision from before, which is accepted or not.",
    async shown(trial) {
      const flow = await trial.flow();
      await startedTask(trial, flow.flowId);
      return [await trial.post(change("set_waiting", flow))];
    },
  }),
  openValues({
    id: "CANCEL-STATUS",
    title: "A cancelled flow has the profile's status",
    clauses: ["STATE-DEFAULTS"],
    reads: { "cancel.status": flowField("status") },
    requests: 4,
    async shown(trial) {
      const { flowId } = await trial.flow();
      return [await sendCancel(trial, flowId), await viewed(trial, flowId)];
    },
  }),
  openValues({
    id: "CANCEL-PENDING-CODE",
    title: "The 202 of a pending cancellation has the profile's code",
    clauses: ["ERROR-CANCEL-CODES"],
    reads: { "cancel.pending-code": codeOf },
    requests: 6,
    async shown(trial) {
      const { flowId } = await trial.flow();
      await startedTask(trial, flowId, { status: "running" });
      const cancelled = await sendCancel(trial, flowId);
      await mustBePending(trial, cancelled, flowId);
      return [cancelled];
    },
  }),
];
