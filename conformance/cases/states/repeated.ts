/** Section 3: what is sent again gets the answer that the interface gives it then, however often. */
import { change, createFlow, runTask } from "../../interface/bodies.ts";
import type { ActionBody } from "../../interface/request.ts";
import { describe, isAccepted } from "../../http/exchange.ts";
import type { Case } from "../../harness/case.ts";
import { everyCell } from "../../harness/cells.ts";
import { check, flowOf, mustAccept, mustRefuse, taskIdOf, twin } from "../../harness/checks.ts";
import { absentId, changeActions, changed, mustBeUnchanged, readBack } from "../../harness/flows.ts";
import { taskForm } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

const conflict = { status: 409, code: "revision_conflict" } as const;
const TIMES = 3;

/** The same request several times, each refused in the same way. */
async function mustRefuseEachTime(
  trial: Trial,
  body: ActionBody,
  what: string,
  as: { status?: number; code?: string } = {},
): Promise<void> {
  for (let time = 1; time <= TIMES; time += 1) {
    const exchange = await trial.post(body);
    const expected = [`${what} refused each time`, as.status, as.code].filter((part) => part !== undefined).join(" ");
    check(exchange.answer !== undefined && !isAccepted(exchange), expected, describe(exchange), exchange);
    mustRefuse(exchange, as);
  }
}

export const repeatedCases: readonly Case[] = [
  {
    id: "REVISION-REPEATED",
    title:
      "A change that was refused is refused however often it is sent, and one that was applied is a conflict from then on",
    clauses: ["REVISION-STALE", "REVISION-UNCHANGED", "REVISION-ADVANCES"],
    requests: changeActions.length * (5 * TIMES + 6),
    reading: "The rule on stale revisions names no number of times; the right change is applied after all of them.",
    async run(trial) {
      const outcomes = ["stale", "ahead", "absent", "incomplete", "applied"];
      const visit = everyCell(trial, changeActions, outcomes);
      for (const action of changeActions) {
        const stale = await trial.flow();
        const flow = await changed(trial, "set_waiting", stale);
        const before = await readBack(trial, flow.flowId);
        const refused = async (outcome: string, body: ActionBody, as?: { status: number; code: string }) => {
          await mustRefuseEachTime(trial, body, `${action}, ${outcome},`, as);
          visit(action, outcome);
        };
        await refused("stale", change(action, stale), conflict);
        await refused("ahead", change(action, { ...flow, revision: flow.revision + 1 }));
        await refused("absent", change(action, { ...flow, flowId: absentId(flow.flowId) }));
        await refused("incomplete", { action, flowId: flow.flowId });
        await mustBeUnchanged(trial, before);
        mustAccept(
          await trial.post(change(action, flow)),
          `${action} accepted at the right revision after all of these`,
        );
        await refused("applied", change(action, flow), conflict);
      }
    },
  },
  {
    id: "RUN-TASK-REPEATED",
    title: "run_task that is refused for its fields is refused each time, and each right one adds a task of its own",
    clauses: ["RUN-TASK-RUNNING-FIELDS", "RUN-TASK-FLOW", "ACTION-RUN-TASK"],
    requests: 4 * TIMES + 6,
    async run(trial) {
      const { flowId } = await trial.flow();
      const form = await taskForm(trial, flowId);
      const visit = everyCell(trial, ["run_task", "create_flow"], ["applied again"]);
      const wrong = runTask(flowId, { ...form, progressSummary: "begun" });
      await mustRefuseEachTime(trial, wrong, "run_task with progressSummary alone", {
        status: 400,
        code: "invalid_request",
      });
      const tasks = new Set<string>();
      const flows = new Set<string>();
      for (let time = 1; time <= TIMES; time += 1) {
        const task = mustAccept(await trial.post(runTask(flowId, form)), "the same run_task accepted again");
        const taskId = taskIdOf(task);
        check(taskId === undefined || !tasks.has(taskId), "a task of its own each time", "one from before", task);
        if (taskId !== undefined) tasks.add(taskId);
        visit("run_task", "applied again");
        const created = twin(await trial.post(createFlow()));
        const made = flowOf(created);
        check(!flows.has(made.flowId), "a flow of its own each time", "one from before", created);
        flows.add(made.flowId);
        visit("create_flow", "applied again");
      }
    },
  },
];
