/** Section 3: actions whose only condition is an existing flow (and its revision), in each state of a flow. */
import { smallest } from "../../interface/bodies.ts";
import type { ActionName } from "../../interface/fields.ts";
import type { Case } from "../../harness/case.ts";
import { mustAccept, type FlowView } from "../../harness/checks.ts";
import { blockedFlow, changed, guarded, understood, waitingFlow } from "../../harness/flows.ts";
import { taskForm } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

interface State {
  readonly id: string;
  reach(trial: Trial): Promise<FlowView>;
}

const states: readonly State[] = [
  { id: "QUEUED", reach: (trial) => trial.flow({ status: "queued" }) },
  { id: "WAITING", reach: waitingFlow },
  { id: "BLOCKED", reach: blockedFlow },
  { id: "RESUMED", reach: async (trial) => changed(trial, "resume_flow", await waitingFlow(trial)) },
];

/** Those that section 3 gives no other condition. */
const unconditional: readonly ActionName[] = [
  "set_waiting",
  "finish_flow",
  "fail_flow",
  "request_cancel",
  "cancel_flow",
  "run_task",
];

const stateCases: readonly Case[] = states.map(({ id, reach }) => ({
  id: `ACTION-FROM-${id}`,
  title: `A ${id.toLowerCase()} flow is changed, ended, cancelled and given a task`,
  clauses: ["STATE-SET-WAITING", "STATE-FINISH", "STATE-FAIL", "STATE-REQUEST-CANCEL", "STATE-CANCEL", "RUN-TASK-FLOW"],
  requests: 36,
  reading: "Section 3 asks that the flow exists and the revision is the current one, and nothing of its state.",
  async run(trial) {
    const form = await taskForm(trial, (await trial.flow()).flowId);
    for (const action of unconditional) {
      const flow = await reach(trial);
      const more = action === "run_task" ? form : {};
      const exchange = await trial.post({ ...smallest(action, flow, trial.profile.fields), ...more });
      if (action === "cancel_flow") understood(exchange, action);
      else mustAccept(exchange, `${action} of a ${id.toLowerCase()} flow accepted`);
    }
    await guarded(trial, trial.route);
  },
}));

export const anyStateCases: readonly Case[] = [...stateCases];
