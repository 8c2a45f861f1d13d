/** Sections 1 and 2: no metadata in answers that depend on the state of a flow, a task or the store. */
import { change, smallest } from "../../../fixtures/bodies.ts";
import { HarnessError } from "../../http/harness-error.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, taskIdOf } from "../../harness/checks.ts";
import { failing, faults } from "../../harness/faults.ts";
import { flowAfter, guarded, waitingFlow } from "../../harness/flows.ts";
import { assertNoLeak, leakCase, metadataOf, secretsOfRoutes } from "../../harness/leaks.ts";
import { taskWithChildKey } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

/** How a child task may end; a control port must know the first only. */
const endings = ["succeeded", "failed", "timed_out", "cancelled"] as const;

/** Every answer that may show a child task. */
const views = ["get_flow", "get_task_summary", "list_flows", "resolve_flow", "cancel_flow"] as const;

/** Ends a child that may have ended already, or with a status that the control port may not know. */
async function mayEnd(trial: Trial, flowId: string, taskId: string, status: string): Promise<void> {
  try {
    await trial.control.settle(flowId, taskId, status);
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
  }
}

/** A running child whose session key is a canary where the target takes one. */
async function child(trial: Trial, flowId: string): Promise<{ taskId: string; childKey: string }> {
  const started = await taskWithChildKey(trial, flowId, { status: "running" });
  if (started === undefined) throw new NotApplicable("run_task is refused with every childSessionKey that was tried");
  const taskId = taskIdOf(started.exchange);
  if (taskId === undefined) throw new NotApplicable("the result of run_task shows no taskId to end the task by");
  return { taskId, childKey: started.childKey };
}

export const leakageOfStates: readonly Case[] = [
  {
    ...leakCase,
    id: "LEAK-ON-NOT-STORED",
    title: "The answer to a request that cannot be stored holds no session key, no owner metadata and no secret",
    needs: ["persistence"],
    alone: true,
    requests: 30,
    reading: "A store's own error often quotes the record that could not be stored.",
    async run(trial) {
      await guarded(trial, trial.route);
      for (const { fault, body } of faults) {
        const request = await body(trial, await waitingFlow(trial));
        await failing(trial, fault, async () => {
          const exchange = await trial.post(request);
          check(exchange.answer !== undefined, "an answer", "none", exchange);
          assertNoLeak([...metadataOf(trial), ...secretsOfRoutes(trial.route)], exchange);
        });
      }
    },
  },
  {
    ...leakCase,
    id: "LEAK-ON-MUTATION-REJECTED",
    title: "The answer to resume_flow of a flow that does not wait holds no session key and no owner metadata",
    requests: 12,
    reading: "Such a resume_flow is refused; an answer that accepts it may show no more.",
    async run(trial) {
      await guarded(trial, trial.route);
      let flow = await trial.flow();
      const started = await taskWithChildKey(trial, flow.flowId, { status: "running" });
      if (started !== undefined) flow = await flowAfter(trial, started.exchange, flow.flowId);
      const exchange = await trial.post(change("resume_flow", flow));
      check(exchange.answer !== undefined, "an answer", "none", exchange);
      assertNoLeak(metadataOf(trial, ...(started === undefined ? [] : [started.childKey])), exchange);
    },
  },
  {
    ...leakCase,
    id: "LEAK-CHILD-ENDED",
    title: "No view of a child task that has ended holds a session key or owner metadata",
    clauses: ["TASK-VIEW", "NO-METADATA"],
    needs: ["children"],
    requests: 40,
    reading: "A view leaves the metadata out whatever the task's status; the control port ends one task in each way.",
    async run(trial) {
      await guarded(trial, trial.route);
      const flow = await waitingFlow(trial);
      const { flowId } = flow;
      const last = await child(trial, flowId);
      const first = await child(trial, flowId);
      const childKeys = [last.childKey, first.childKey];
      await trial.control.settle(flowId, first.taskId, endings[0]);
      for (const status of endings.slice(1)) {
        const { taskId, childKey } = await child(trial, flowId);
        childKeys.push(childKey);
        await mayEnd(trial, flowId, taskId, status);
      }
      const look = async () => {
        for (const action of views) {
          const exchange = await trial.post(smallest(action, flow, trial.profile.fields));
          assertNoLeak(metadataOf(trial, ...childKeys), exchange);
        }
      };
      // One child is active, so the first cancel_flow is pending; then none is.
      await look();
      await mayEnd(trial, flowId, last.taskId, endings[0]);
      await look();
    },
  },
];
