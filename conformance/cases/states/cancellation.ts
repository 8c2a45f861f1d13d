/** Section 3: cancel_flow and request_cancel, with and without child tasks. */
import { cancelFlow, change } from "../../interface/bodies.ts";
import { describe, envelopeOf, isAccepted, type Exchange } from "../../http/exchange.ts";
import { Failure, NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustRefuse } from "../../harness/checks.ts";
import { cancelled, changed, mustShow, SETTLING_MS, statusOf, understood, waitingFlow } from "../../harness/flows.ts";
import { activeCount, settlableTask, startedTask, rightTask } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

const cancel = (trial: Trial, flowId: string) => trial.post(cancelFlow(flowId, trial.profile.fields));

/** 202 while a child is active. A target that ends the children at once has none left to wait for. */
async function mustBePending(trial: Trial, exchange: Exchange, flowId: string): Promise<void> {
  understood(exchange, "cancel_flow");
  if (exchange.answer?.status === 202) return;
  const active = await activeCount(trial, flowId);
  if (active === undefined) throw new NotApplicable("the task summary does not tell whether a child is still active");
  if (active === 0) throw new NotApplicable("the target ends the children of a cancelled flow at once");
  throw new Failure("202", describe(exchange), [exchange]);
}

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
      const exchange = await cancelled(trial, flowId);
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
      const taskId = await settlableTask(trial, flowId, { status: "running" });
      await trial.control.settle(flowId, taskId, "succeeded");
      const exchange = await cancelled(trial, flowId);
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
      const taskIds = [
        await settlableTask(trial, flowId, { status: "running" }),
        await settlableTask(trial, flowId, { status: "running" }),
      ];
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
      const taskId = await settlableTask(trial, flowId, { status: "running" });
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
      await mustShow(trial, await cancelled(trial, flowId), flowId, "status", trial.gap("cancel.status"));
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
  {
    id: "CANCEL-PENDING-NO-TASK",
    title: "No task is added to a flow whose cancellation is pending",
    clauses: ["ERROR-CANCEL-CODES"],
    gaps: ["status.cancel_requested"],
    requests: 6,
    async run(trial) {
      const { flowId } = await trial.flow();
      await startedTask(trial, flowId, { status: "running" });
      await mustBePending(trial, await cancel(trial, flowId), flowId);
      const as = { status: trial.gap("status.cancel_requested"), code: "cancel_requested" };
      mustRefuse(await trial.post(await rightTask(trial, flowId)), as);
    },
  },
  {
    id: "CANCEL-ENDED",
    title: "cancel_flow of an ended flow is refused with the profile's code",
    clauses: ["STATE-TERMINAL", "ERROR-CANCEL-CODES"],
    gaps: ["terminal.code"],
    requests: 16,
    async run(trial) {
      for (const ending of ["finish_flow", "fail_flow", "cancel_flow"] as const) {
        const flow = await trial.flow();
        if (ending === "cancel_flow") await cancelled(trial, flow.flowId);
        else await changed(trial, ending, flow);
        mustRefuse(await cancel(trial, flow.flowId), { code: trial.gap("terminal.code") });
      }
    },
  },
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
];
