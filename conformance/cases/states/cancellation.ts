/** Section 3: cancel_flow and request_cancel, with and without child tasks. */
import { cancelFlow, change, smallest } from "../../interface/bodies.ts";
import { idOf } from "../../interface/values.ts";
import { describe, envelopeOf, isAccepted } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustRefuse, mustTakeTwin, type FlowView } from "../../harness/checks.ts";
import {
  sendCancel,
  changeActions,
  sendChange,
  endFlow,
  endings,
  mustBeUnchanged,
  mustShow,
  readBack,
  SETTLING_MS,
  statusOf,
  waitingFlow,
} from "../../harness/flows.ts";
import { mustBePending, settlableTask, startedTask } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

const cancel = (trial: Trial, flowId: string) => trial.post(cancelFlow(flowId, trial.profile.fields));

export const cancellationCases: readonly Case[] = [
  {
    id: "CANCEL-ALONE-NOT-PENDING",
    title: "cancel_flow of a flow without children is not answered 202",
    clauses: ["STATE-CANCEL-PENDING"],
    level: "should",
    requests: 3,
    reading: "202 says that children are still active. The status of any other acceptance is open.",
    async run(trial) {
      const { flowId } = await trial.flow();
      const exchange = await sendCancel(trial, flowId);
      check(exchange.answer?.status !== 202, "another 2xx", describe(exchange), exchange);
    },
  },
  {
    id: "CANCEL-CHILD-ENDED",
    title: "A child task that has ended does not delay a cancellation",
    clauses: ["STATE-CANCEL-PENDING", "STATE-CANCEL"],
    gaps: ["cancel.ended-child"],
    needs: ["children"],
    requests: 6,
    reading: "202 is for children that are still active; an ended one is not.",
    async run(trial) {
      const { flowId } = await trial.flow();
      const taskId = await settlableTask(trial, flowId);
      await trial.control.settle(flowId, taskId, "succeeded");
      const exchange = await sendCancel(trial, flowId);
      const pending = exchange.answer?.status === 202;
      check(pending !== trial.gap("cancel.ended-child"), "a cancellation at once", describe(exchange), exchange);
    },
  },
  {
    id: "CANCEL-COMPLETES",
    title: "A pending cancellation completes when the last child has ended",
    clauses: ["STATE-CANCEL", "STATE-CANCEL-PENDING"],
    gaps: ["cancel.completes", "cancel.status"],
    needs: ["children"],
    requests: 60,
    reading: "Whether it completes by itself or the caller asks again is open.",
    async run(trial) {
      const { flowId } = await trial.flow();
      const taskIds = [await settlableTask(trial, flowId), await settlableTask(trial, flowId)];
      await mustBePending(trial, await cancel(trial, flowId), flowId);
      const done = async () => (await statusOf(trial, flowId)) === trial.gap("cancel.status");
      for (const taskId of taskIds) {
        check(!(await done()), "a cancellation still pending", "cancelled already", ...trial.last);
        await trial.control.settle(flowId, taskId, "succeeded");
      }
      if (!trial.gap("cancel.completes")) await cancel(trial, flowId);
      const completed = await trial.until(done, SETTLING_MS, 120);
      check(completed, `status: ${trial.gap("cancel.status")}`, "another status", ...trial.last);
    },
  },
  {
    id: "CANCEL-AGAIN-AFTER-CHILDREN",
    title: "Asked again once no child is active, cancel_flow no longer says pending",
    clauses: ["STATE-CANCEL-PENDING"],
    level: "should",
    needs: ["children"],
    requests: 60,
    reading: "The first cancellation may have completed by itself, so a refusal is as good as an acceptance.",
    async run(trial) {
      const { flowId } = await trial.flow();
      const taskId = await settlableTask(trial, flowId);
      await mustBePending(trial, await cancel(trial, flowId), flowId);
      await trial.control.settle(flowId, taskId, "succeeded");
      let last = await cancel(trial, flowId);
      const over = await trial.until(
        async () => last.answer?.status !== 202 || ((last = await cancel(trial, flowId)), false),
        SETTLING_MS,
        120,
      );
      check(over, "an answer other than 202", describe(last), last);
    },
  },
  {
    id: "CANCEL-STATUS",
    title: "A cancelled flow has the profile's status",
    clauses: ["STATE-DEFAULTS"],
    gaps: ["cancel.status"],
    requests: 4,
    async run(trial) {
      const { flowId } = await trial.flow();
      await mustShow(trial, await sendCancel(trial, flowId), flowId, "status", trial.gap("cancel.status"));
    },
  },
  {
    id: "CANCEL-PENDING-CODE",
    title: "The 202 of a pending cancellation has the profile's code, each time",
    clauses: ["ERROR-CANCEL-CODES"],
    gaps: ["cancel.pending-code"],
    requests: 6,
    async run(trial) {
      const { flowId } = await trial.flow();
      await startedTask(trial, flowId, { status: "running" });
      for (const _time of ["first", "second"]) {
        const exchange = await cancel(trial, flowId);
        await mustBePending(trial, exchange, flowId);
        const code = envelopeOf(exchange)?.code;
        check(
          code === trial.gap("cancel.pending-code"),
          trial.gap("cancel.pending-code"),
          describe(exchange),
          exchange,
        );
      }
    },
  },
  ...endings.map((ending): Case => ({
    id: `GAP-ENDED-BY-${idOf(ending)}`,
    title: `After ${ending} every change and cancel_flow are refused with the profile's code`,
    clauses: ["STATE-TERMINAL", "ERROR-CANCEL-CODES"],
    gaps: ["terminal.code"],
    requests: 17,
    async run(trial) {
      const flow = await trial.flow();
      await endFlow(trial, ending, flow);
      const now = (await readBack(trial, flow.flowId)) ?? flow;
      for (const action of [...changeActions, "cancel_flow"] as const) {
        const request = smallest(action, now, trial.profile.fields);
        const refused = mustRefuse(await trial.post(request), { code: trial.gap("terminal.code") });
        await mustBeUnchanged(trial, now, refused);
      }
    },
  })),
  {
    id: "CANCEL-REQUEST-KEEPS-STATUS",
    title: "request_cancel leaves the status as it is",
    clauses: ["STATE-DEFAULTS"],
    gaps: ["cancel.request-keeps-status"],
    requests: 8,
    async run(trial) {
      const flow = await waitingFlow(trial);
      const before = await statusOf(trial, flow.flowId);
      const exchange = await trial.post(change("request_cancel", flow));
      check(isAccepted(exchange), "request_cancel accepted", describe(exchange), exchange);
      const kept = (await statusOf(trial, flow.flowId)) === before;
      const keeps = trial.gap("cancel.request-keeps-status");
      check(
        kept === keeps,
        keeps ? "the status from before" : "another status",
        kept ? "the same" : "another",
        exchange,
      );
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
      const conflict = { status: 409, code: "revision_conflict" };
      const stale = await trial.flow();
      const flow = await sendChange(trial, "set_waiting", stale);
      const at = ({ flowId, revision }: FlowView) =>
        cancelFlow(flowId, trial.profile.fields, { expectedRevision: revision });
      const before = await readBack(trial, flow.flowId);
      const exchange = await trial.post(at(stale));
      if (!trial.gap("cancel.honours-revision"))
        return check(
          envelopeOf(exchange)?.code !== conflict.code,
          "no revision conflict",
          describe(exchange),
          exchange,
        );
      await mustBeUnchanged(trial, before, mustRefuse(exchange, conflict));
      mustTakeTwin(await trial.post(at(flow)));
    },
  },
];
