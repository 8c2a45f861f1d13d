/** Section 2: the envelope of rejections that depend on the state of a flow or of the store. */
import { change, runTask } from "../../../fixtures/bodies.ts";
import type { Exchange } from "../../http/exchange.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { failing, faults } from "../../harness/faults.ts";
import { changeActions, changed, changedParent, readBack, waitingFlow } from "../../harness/flows.ts";
import { taskForm, smallestRight } from "../../harness/tasks.ts";
import { unmanaged } from "../../harness/unmanaged.ts";
import { rejected, rejectionCase, type Rejection } from "./envelope.ts";

const states: readonly Rejection[] = [
  {
    id: "NOT-STORED",
    what: "a record that cannot be stored",
    more: { needs: ["persistence"], alone: true, requests: 30 },
    async provoke(trial) {
      const answers: Exchange[] = [];
      for (const { fault, body } of faults) {
        const flow = await waitingFlow(trial);
        const request = await body(trial, flow);
        await failing(trial, fault, async () => void answers.push(await trial.post(request)));
      }
      return rejected(answers);
    },
  },
  {
    id: "NOT-MANAGED",
    what: "a flow that is not managed",
    more: { needs: ["sessions"], requests: 14 },
    async provoke(trial) {
      const { bodies } = await unmanaged(trial);
      const answers: Exchange[] = [];
      for (const body of bodies) answers.push(await trial.post(body));
      return rejected(answers);
    },
  },
  {
    id: "FOREIGN-CHILD",
    what: "a childSessionKey of another session",
    async provoke(trial) {
      const { flowId } = await trial.flow();
      await trial.flow({}, trial.stranger);
      await taskForm(trial, flowId);
      return rejected([await trial.post(runTask(flowId, { childSessionKey: trial.stranger.sessionKey }))]);
    },
  },
  {
    id: "ENDED",
    what: "a flow that has ended",
    more: { requests: 16 },
    async provoke(trial) {
      const flow = await changed(trial, "finish_flow", await trial.flow());
      const answers: Exchange[] = [];
      for (const action of [...changeActions, "cancel_flow", "run_task"] as const) {
        answers.push(await trial.post(await smallestRight(trial, action, flow)));
      }
      return rejected(answers);
    },
  },
  {
    id: "CANCEL-REQUESTED",
    what: "a task in a flow whose cancellation was requested",
    async provoke(trial) {
      const { flowId } = await trial.flow();
      const form = await taskForm(trial, flowId);
      const current = await readBack(trial, flowId);
      if (current === undefined) throw new NotApplicable("get_flow does not show the flow's revision");
      await changedParent(trial, "request_cancel", current);
      return rejected([await trial.post(runTask(flowId, form))]);
    },
  },
  {
    id: "NOT-WAITING",
    what: "resume_flow of a flow that does not wait",
    async provoke(trial) {
      return rejected([await trial.post(change("resume_flow", await trial.flow({ status: "queued" })))]);
    },
  },
];

export const envelopeOfStates: readonly Case[] = states.map(rejectionCase);
