/** Sections 3, 4 and 7: malformed actions, absent flows, and flows in the wrong state. */
import { cancelFlow, change, runTask, type FlowAt } from "../../interface/bodies.ts";
import { idOf } from "../../interface/values.ts";
import { describe, isAccepted } from "../../http/exchange.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustRefuse, twin, type FlowView } from "../../harness/checks.ts";
import {
  absentId,
  cancelled,
  changeActions,
  changed,
  mustBeUnchanged,
  readBack,
  shownIn,
  stopsWaiting,
  waitingFlow,
  type ChangeAction,
} from "../../harness/flows.ts";
import { taskForm } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

const absentChanges: readonly Case[] = changeActions.map((action) => ({
  id: `ACTION-ABSENT-${idOf(action)}`,
  title: `${action} of a flow that does not exist has the code not_found`,
  clauses: ["ERROR-NOT-FOUND"],
  requests: 6,
  async run(trial) {
    const flow = await waitingFlow(trial);
    const absent: FlowAt = { ...flow, flowId: absentId(flow.flowId) };
    mustRefuse(await trial.post(change(action, absent)), { code: "not_found" });
    twin(await trial.post(change(action, flow)));
  },
}));

const absentOthers: readonly Case[] = [
  {
    id: "ACTION-ABSENT-CANCEL-FLOW",
    title: "cancel_flow of a flow that does not exist has the code not_found",
    clauses: ["ERROR-NOT-FOUND"],
    requests: 4,
    async run(trial) {
      const { flowId } = await trial.flow();
      await cancelled(trial, flowId);
      const body = cancelFlow(absentId(flowId), trial.profile.fields);
      mustRefuse(await trial.post(body), { code: "not_found" });
    },
  },
  {
    id: "ACTION-ABSENT-RUN-TASK",
    title: "run_task in a flow that does not exist has the code not_found",
    clauses: ["ERROR-NOT-FOUND", "RUN-TASK-FLOW"],
    requests: 4,
    async run(trial) {
      const { flowId } = await trial.flow();
      const form = await taskForm(trial, flowId);
      mustRefuse(await trial.post(runTask(absentId(flowId), form)), { code: "not_found" });
    },
  },
];

interface State {
  readonly id: string;
  readonly what: string;
  /** An ended flow takes no change that would show that its revision still applies. */
  readonly ended?: true;
  reach(trial: Trial): Promise<FlowView>;
}

const endedBy = (action: ChangeAction) => async (trial: Trial) => changed(trial, action, await trial.flow());

const notResumable: readonly State[] = [
  { id: "QUEUED", what: "queued", reach: (trial) => trial.flow({ status: "queued" }) },
  { id: "FINISHED", what: "finished", ended: true, reach: endedBy("finish_flow") },
  { id: "FAILED", what: "failed", ended: true, reach: endedBy("fail_flow") },
  {
    id: "RESUMED",
    what: "already resumed",
    reach: async (trial) => changed(trial, "resume_flow", await waitingFlow(trial)),
  },
];

const resumeOnly: readonly Case[] = notResumable.map(({ id, what, ended, reach }) => ({
  id: `ACTION-RESUME-${id}`,
  title: `resume_flow of a flow that is ${what} is refused, and changes nothing`,
  clauses: ["STATE-RESUME-ONLY"],
  requests: 12,
  reading: "Section 3 gives resume_flow one condition: the flow is waiting or blocked. Status and code are open.",
  async run(trial) {
    twin(await trial.post(change("resume_flow", await waitingFlow(trial))));
    const flow = await reach(trial);
    const before = await readBack(trial, flow.flowId);
    const refused = mustRefuse(await trial.post(change("resume_flow", flow)));
    await mustBeUnchanged(trial, before, refused);
    if (ended === true) return;
    const applied = await trial.post(change("set_waiting", flow));
    check(isAccepted(applied), "the revision from before still applies", describe(applied), refused, applied);
  },
}));

const cancelledIsOver: Case = {
  id: "ACTION-RESUME-CANCELLED",
  title: "resume_flow of a waiting flow that was cancelled is refused",
  clauses: ["STATE-RESUME-ONLY", "STATE-CANCEL", "ACTION-CANCEL-FLOW"],
  requests: 57,
  reading: "The name of a cancelled flow's state is open, but it is neither waiting nor blocked.",
  async run(trial) {
    twin(await trial.post(change("resume_flow", await waitingFlow(trial))));
    const { flowId } = await waitingFlow(trial);
    const exchange = await cancelled(trial, flowId);
    if (exchange.answer?.status === 202) throw new NotApplicable("the target cancels later than it answers");
    await stopsWaiting(trial, flowId);
    const view = (await readBack(trial, flowId)) ?? shownIn(exchange, flowId);
    if (view === undefined) throw new NotApplicable("no view shows a cancelled flow's revision");
    mustRefuse(await trial.post(change("resume_flow", view)));
  },
};

export const refusedActionCases: readonly Case[] = [...absentChanges, ...absentOthers, ...resumeOnly, cancelledIsOver];
