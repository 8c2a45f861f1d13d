/** Section 4: run_task, its fields and the rule on those of a running task. */
import { change, runTask } from "../../interface/bodies.ts";
import { describe, isAccepted, textOf } from "../../http/exchange.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustRefuse, setUp, twin } from "../../harness/checks.ts";
import { cancelled, changed, guarded, readBack, twoFlows } from "../../harness/flows.ts";
import { mustAddNone, startedTask, taskCount, taskForm, taskWithChildKey, rightTask } from "../../harness/tasks.ts";

import { taskRows } from "./task-rows.ts";

const childKeyReading =
  "Which sessions a target takes for a child is open; a new one, one below the route's own and the route's own are tried.";

export const runTaskCases: readonly Case[] = [
  ...taskRows,
  {
    id: "RUN-TASK-CHILD-SESSION-KEY",
    title: "run_task takes a childSessionKey and shows it nowhere",
    clauses: ["ACTION-RUN-TASK", "TASK-VIEW"],
    requests: 8,
    reading: `${childKeyReading} The child's session key is session metadata, which views of tasks omit.`,
    async run(trial) {
      const { flowId } = await trial.flow();
      await taskForm(trial, flowId);
      const started = await taskWithChildKey(trial, flowId);
      if (started === undefined)
        throw new NotApplicable("the target takes none of the childSessionKeys that were tried");
      const { exchange, childKey } = started;
      const text = exchange.answer === undefined ? "" : textOf(exchange.answer);
      if (!text.includes(flowId)) throw new NotApplicable("the result of run_task shows nothing of the flow");
      await guarded(trial, trial.route);
      check(!text.includes(childKey), "no childSessionKey in the answer", "the childSessionKey", exchange);
    },
  },
  {
    id: "RUN-TASK-KEEPS-REVISION",
    title: "run_task leaves the flow's revision as it is",
    clauses: ["STATE-DEFAULTS"],
    gaps: ["task.keeps-revision"],
    requests: 4,
    async run(trial) {
      const flow = await trial.flow();
      await startedTask(trial, flow.flowId);
      const exchange = await trial.post(change("set_waiting", flow));
      const keeps = trial.gap("task.keeps-revision");
      const expected = keeps ? "the revision from before accepted" : "the revision from before refused";
      check(isAccepted(exchange) === keeps, expected, describe(exchange), exchange);
    },
  },
  {
    id: "RUN-TASK-CANCEL-REQUESTED",
    title: "run_task after request_cancel gets cancel_requested and adds no task",
    clauses: ["ERROR-CANCEL-CODES"],
    gaps: ["status.cancel_requested"],
    requests: 10,
    async run(trial) {
      const flow = await trial.flow();
      const form = await taskForm(trial, flow.flowId);
      const current = (await readBack(trial, flow.flowId)) ?? flow;
      await changed(trial, "request_cancel", current);
      const before = await taskCount(trial, flow.flowId);
      const as = { status: trial.gap("status.cancel_requested"), code: "cancel_requested" };
      mustRefuse(await trial.post(runTask(flow.flowId, form)), as);
      await mustAddNone(trial, flow.flowId, before);
    },
  },
  {
    id: "RUN-TASK-ENDED",
    title: "run_task in an ended flow is refused with the profile's code and adds no task",
    clauses: ["STATE-TERMINAL"],
    gaps: ["task.ended-code"],
    requests: 24,
    async run(trial) {
      for (const ending of ["finish_flow", "fail_flow", "cancel_flow"] as const) {
        const [flow, other] = await twoFlows(trial);
        twin(await trial.post(await rightTask(trial, other.flowId)));
        if (ending === "cancel_flow") await cancelled(trial, flow.flowId);
        else await changed(trial, ending, flow);
        const before = await taskCount(trial, flow.flowId);
        mustRefuse(await trial.post(await rightTask(trial, flow.flowId)), { code: trial.gap("task.ended-code") });
        await mustAddNone(trial, flow.flowId, before);
      }
    },
  },
  {
    id: "RUN-TASK-FOREIGN-CHILD",
    title: "run_task with a childSessionKey of another session is refused and adds no task",
    clauses: ["SESSION-BOUND"],
    gaps: ["task.foreign-child-code"],
    requests: 8,
    reading: "Else a route would act with the authority of a session that is not its own (section 5, rule 7).",
    async run(trial) {
      const { flowId } = await trial.flow();
      const exchange = await trial.flow({}, trial.stranger);
      check(exchange.flowId !== flowId, "two flows", "one");
      await taskForm(trial, flowId);
      const before = await taskCount(trial, flowId);
      const body = runTask(flowId, { childSessionKey: trial.stranger.sessionKey });
      mustRefuse(await trial.post(body), { code: trial.gap("task.foreign-child-code") });
      await mustAddNone(trial, flowId, before);
      setUp(await trial.post(await rightTask(trial, flowId)), "run_task without it");
    },
  },
];
