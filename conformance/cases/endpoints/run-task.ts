/** Section 4: run_task, its fields and the rule on those of a running task. */
import { change, runTask } from "../../interface/bodies.ts";
import { describe, isAccepted } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustRefuse, setUp, mustTakeTwin, type FlowView, type Refusal } from "../../harness/checks.ts";
import { sendCancel, sendChange, endFlow, endings, twoFlows } from "../../harness/flows.ts";
import { mustAddNone, mustBePending, rightTask, startedTask, taskCount } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";
import { taskRows } from "./task-rows.ts";

interface TaskRefused extends Omit<Case, "run"> {
  as(trial: Trial): Refusal;
  /** What is done to a flow before, each to one of its own. */
  readonly after: readonly ((trial: Trial, flow: FlowView) => Promise<unknown>)[];
}

const taskRefused = ({ as, after, ...about }: TaskRefused): Case => ({
  ...about,
  async run(trial) {
    for (const bring of after) {
      const [flow, other] = await twoFlows(trial);
      mustTakeTwin(await trial.post(await rightTask(trial, other.flowId)));
      await bring(trial, flow);
      const before = await taskCount(trial, flow.flowId);
      mustRefuse(await trial.post(await rightTask(trial, flow.flowId)), as(trial));
      await mustAddNone(trial, flow.flowId, before);
    }
  },
});

export const runTaskCases: readonly Case[] = [
  ...taskRows,
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
  taskRefused({
    id: "RUN-TASK-CANCEL-REQUESTED",
    title: "run_task after request_cancel, or while a cancellation is pending, gets cancel_requested and adds no task",
    clauses: ["ERROR-CANCEL-CODES"],
    gaps: ["status.cancel_requested"],
    requests: 22,
    as: (trial) => ({ status: trial.gap("status.cancel_requested"), code: "cancel_requested" }),
    after: [
      (trial, flow) => sendChange(trial, "request_cancel", flow),
      async (trial, flow) => {
        await startedTask(trial, flow.flowId, { status: "running" });
        await mustBePending(trial, await sendCancel(trial, flow.flowId), flow.flowId);
      },
    ],
  }),
  taskRefused({
    id: "RUN-TASK-ENDED",
    title: "run_task in an ended flow is refused with the profile's code and adds no task",
    clauses: ["STATE-TERMINAL"],
    gaps: ["task.ended-code"],
    requests: 24,
    as: (trial) => ({ code: trial.gap("task.ended-code") }),
    after: endings.map((ending) => (trial, flow) => endFlow(trial, ending, flow)),
  }),
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
      await startedTask(trial, flowId);
      const before = await taskCount(trial, flowId);
      const body = runTask(flowId, { childSessionKey: trial.stranger.sessionKey });
      mustRefuse(await trial.post(body), { code: trial.gap("task.foreign-child-code") });
      await mustAddNone(trial, flowId, before);
      setUp(await trial.post(await rightTask(trial, flowId)), "run_task without it");
    },
  },
];
