/** Section 4: run_task, its fields and the rule on those of a running task. */
import { change, runTask } from "../../interface/bodies.ts";
import { describe, isAccepted, textOf } from "../../http/exchange.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse, setUp, twin } from "../../harness/checks.ts";
import { cancelled, changed, guarded, readBack, twoFlows } from "../../harness/flows.ts";
import {
  acceptedValue,
  mustAddNone,
  startedTask,
  taskCount,
  taskForm,
  taskWithChildKey,
  triedTask,
  rightTask,
} from "../../harness/tasks.ts";

const runtimes: readonly Case[] = (["subagent", "acp"] as const).map((runtime) => ({
  id: `RUN-TASK-${runtime.toUpperCase()}`,
  title: `run_task takes the runtime ${runtime}`,
  clauses: ["ACTION-RUN-TASK", "RUN-TASK-RUNTIME", "RUN-TASK-FLOW", "RUN-TASK-STATUS"],
  requests: 12,
  reading: "Both runtimes are allowed values. What else a target wants is open and may differ between them.",
  async run(trial) {
    const { flowId } = await trial.flow();
    await taskForm(trial, flowId, runtime === "acp" ? "subagent" : "acp");
    // Twice: a flow has child tasks, not one of each runtime.
    for (let child = 0; child < 2; child += 1) mustAccept((await triedTask(trial, flowId, { runtime })).exchange);
    await guarded(trial, trial.route);
  },
}));

const childKeyReading =
  "Which sessions a target takes for a child is open; a new one, one below the route's own and the route's own are tried.";

export const runTaskCases: readonly Case[] = [
  ...runtimes,
  {
    id: "RUN-TASK-RUNNING",
    title: "run_task takes status running without any of its fields",
    clauses: ["RUN-TASK-STATUS", "RUN-TASK-RUNNING-FIELDS"],
    requests: 5,
    async run(trial) {
      const { flowId } = await trial.flow();
      const form = await taskForm(trial, flowId);
      mustAccept(await trial.post(runTask(flowId, { ...form, status: "running" })));
      await guarded(trial, trial.route);
    },
  },
  {
    id: "RUN-TASK-PROGRESS-RUNNING",
    title: "run_task takes a progressSummary with status running",
    clauses: ["RUN-TASK-RUNNING-FIELDS"],
    requests: 5,
    async run(trial) {
      const { flowId } = await trial.flow();
      const form = await taskForm(trial, flowId);
      mustAccept(await trial.post(runTask(flowId, { ...form, status: "running", progressSummary: "half of it" })));
      await guarded(trial, trial.route);
    },
  },
  {
    id: "RUN-TASK-ALL-RUNNING-FIELDS",
    title: "run_task takes all three fields of a running task together",
    clauses: ["RUN-TASK-RUNNING-FIELDS"],
    requests: 10,
    reading: "The form of a timestamp is open: milliseconds and ISO 8601 text are tried.",
    async run(trial) {
      const { flowId } = await trial.flow();
      const form = await taskForm(trial, flowId);
      const startedAt = await acceptedValue(trial, flowId, "startedAt", form);
      const all = { startedAt, lastEventAt: startedAt, progressSummary: "half of it" };
      mustAccept(await trial.post(runTask(flowId, { ...form, status: "running", ...all })));
      await guarded(trial, trial.route);
    },
  },
  {
    id: "RUN-TASK-COUNTED",
    title: "Each accepted run_task adds one child task to its flow, and to no other",
    clauses: ["ACTION-RUN-TASK", "RUN-TASK-FLOW", "ACTION-GET-TASK-SUMMARY"],
    requests: 14,
    reading: "Judged by a number `total` anywhere in the task summary; a target without one is not judged.",
    async run(trial) {
      const [flow, other] = await twoFlows(trial);
      if ((await taskCount(trial, flow.flowId)) !== 0) throw new NotApplicable("the task summary shows no total");
      for (const count of [1, 2]) {
        await startedTask(trial, flow.flowId);
        const total = await taskCount(trial, flow.flowId);
        check(total === count, `${count} in all`, "another total", ...trial.last);
      }
      check((await taskCount(trial, other.flowId)) === 0, "0 of the other flow", "another total");
    },
  },
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
