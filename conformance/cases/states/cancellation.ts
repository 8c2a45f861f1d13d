/** Section 3: cancel_flow and request_cancel, with and without child tasks. */
import { cancelFlow } from "../../interface/bodies.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustRefuse, mustTakeTwin, type FlowView } from "../../harness/checks.ts";
import {
  sendCancel,
  sendChange,
  mustBeUnchanged,
  readBack,
  SETTLING_MS,
  statusOf,
  twoFlows,
} from "../../harness/flows.ts";
import { codeOf, mustFit, openValues, steady } from "../../harness/open-values.ts";
import { mustBePending, settlableTask } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

const cancel = (trial: Trial, flowId: string) => trial.post(cancelFlow(flowId, trial.profile.fields));

/** The status of a flow whose cancellation may go through another one first. */
async function settledStatus(trial: Trial, flowId: string): Promise<unknown> {
  let last = await statusOf(trial, flowId);
  await trial.until(
    async () => {
      const before = last;
      last = await statusOf(trial, flowId);
      return last === before;
    },
    SETTLING_MS,
    120,
  );
  return last;
}

export const cancellationCases: readonly Case[] = [
  openValues({
    id: "CANCEL-CHILD-ENDED",
    title: "A child task that has ended does not delay a cancellation",
    clauses: ["STATE-CANCEL-PENDING", "STATE-CANCEL"],
    reads: { "cancel.ended-child": ({ answer }) => answer?.status !== 202 },
    needs: ["children"],
    requests: 6,
    reading: "202 is for children that are still active; an ended one is not.",
    async *shown(trial) {
      const { flowId } = await trial.flow();
      const taskId = await settlableTask(trial, flowId);
      await trial.control.settle(flowId, taskId, "succeeded");
      yield await sendCancel(trial, flowId);
    },
  }),
  {
    id: "CANCEL-COMPLETES",
    title: "A pending cancellation completes when the last child has ended",
    clauses: ["STATE-CANCEL", "STATE-CANCEL-PENDING"],
    gaps: ["cancel.completes"],
    needs: ["children"],
    requests: 110,
    reading:
      "Whether it completes by itself or the caller asks again is open. Then the flow has the status of one that was " +
      "cancelled without children.",
    async run(trial) {
      const [{ flowId }, other] = await twoFlows(trial);
      await sendCancel(trial, other.flowId);
      const cancelled = trial.profile.gaps["cancel.status"] ?? (await settledStatus(trial, other.flowId));
      let status = "";
      const isDone = async () => (status = await statusOf(trial, flowId)) === cancelled;
      const taskIds = [await settlableTask(trial, flowId), await settlableTask(trial, flowId)];
      if (await isDone()) throw new NotApplicable("a cancelled flow has no status of its own");
      mustBePending(await cancel(trial, flowId));
      for (const taskId of taskIds) {
        check(!(await isDone()), "a cancellation still pending", "cancelled already", ...trial.last);
        await trial.control.settle(flowId, taskId, "succeeded");
      }
      const completes = await trial.until(isDone, SETTLING_MS, 120);
      mustFit(trial, "cancel.completes", completes, ...trial.last);
      if (!completes) await cancel(trial, flowId);
      const isOver = await trial.until(isDone, SETTLING_MS, 120);
      check(isOver, "the status of a cancelled flow", steady(status, "another status"), ...trial.last);
    },
  },
  {
    id: "REVISION-CANCEL-FLOW",
    title: "cancel_flow with a stale expectedRevision is refused and changes nothing",
    clauses: ["REVISION-STALE"],
    gaps: ["cancel.honours-revision"],
    requests: 10,
    reading: "The fields of cancel_flow are not shown; the rule on stale revisions names no exception.",
    async run(trial) {
      const stale = await trial.flow();
      const flow = await sendChange(trial, "set_waiting", stale);
      const at = ({ flowId, revision }: FlowView) =>
        cancelFlow(flowId, trial.profile.fields, { expectedRevision: revision });
      const before = await readBack(trial, flow.flowId);
      const exchange = await trial.post(at(stale));
      const isConflict = codeOf(exchange) === "revision_conflict";
      mustFit(trial, "cancel.honours-revision", isConflict, exchange);
      if (!isConflict) return;
      await mustBeUnchanged(trial, before, mustRefuse(exchange, { status: 409 }));
      mustTakeTwin(await trial.post(at(flow)));
    },
  },
];
