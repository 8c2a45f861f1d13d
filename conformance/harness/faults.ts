/** Requests that cannot be carried out while the store fails. Needs the control port. */
import { createFlow, smallest } from "../interface/bodies.ts";
import type { ActionName } from "../interface/fields.ts";
import type { ActionBody } from "../interface/request.ts";
import type { PersistenceFault } from "../targets/control.ts";
import type { FlowView } from "./checks.ts";
import { changeActions } from "../interface/flow-model.ts";
import type { Trial } from "./trial.ts";
import { rightTask } from "./tasks.ts";

/** What `during` returns, while such records cannot be stored. */
export async function withFault<T>(trial: Trial, fault: PersistenceFault, during: () => Promise<T>): Promise<T> {
  await trial.control.persistence([fault]);
  trial.record.add(`storing fails: ${fault}`);
  try {
    return await during();
  } finally {
    await trial.control.persistence([]);
    trial.record.add("storing works again");
  }
}

interface Fault {
  readonly action: ActionName;
  readonly fault: PersistenceFault;
  /** `goal`: of a flow that is created. */
  body(trial: Trial, flow: FlowView, goal: string): ActionBody | Promise<ActionBody>;
}

/** The fields of a create_flow that the interface shows beside its goal. */
const shown = { status: "queued", notifyPolicy: "done_only" };

export const faults: readonly Fault[] = [
  { action: "create_flow", fault: "create", body: (_trial, _flow, goal) => createFlow(goal, shown) },
  ...([...changeActions, "cancel_flow"] as const).map((action): Fault => ({
    action,
    fault: action === "cancel_flow" ? "cancel" : "update",
    body: (trial, flow) => smallest(action, flow, trial.profile.fields),
  })),
  { action: "run_task", fault: "task", body: (trial, { flowId }) => rightTask(trial, flowId) },
];
