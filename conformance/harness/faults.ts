/** Requests that cannot be carried out while the store fails. Needs the control port. */
import { cancelFlow, change, createFlow } from "../interface/bodies.ts";
import type { ActionBody } from "../interface/request.ts";
import { idOf } from "../interface/values.ts";
import type { PersistenceFault } from "../targets/control.ts";
import type { FlowView } from "./checks.ts";
import { changeActions } from "./flows.ts";
import type { Trial } from "./trial.ts";
import { rightTask } from "./tasks.ts";

/** Makes one operation fail while `during` runs. */
export async function failing(trial: Trial, fault: PersistenceFault, during: () => Promise<void>): Promise<void> {
  await trial.control.persistence([fault]);
  trial.note(`storing fails: ${fault}`);
  try {
    await during();
  } finally {
    await trial.control.persistence([]);
    trial.note("storing works again");
  }
}

/** A request that cannot be carried out while an operation fails. */
interface Fault {
  readonly id: string;
  readonly fault: PersistenceFault;
  body(trial: Trial, flow: FlowView): ActionBody | Promise<ActionBody>;
}

export const faults: readonly Fault[] = [
  { id: "CREATE-FLOW", fault: "create", body: () => createFlow("not stored") },
  ...changeActions.map((action): Fault => {
    return { id: idOf(action), fault: "update", body: (_trial, flow) => change(action, flow) };
  }),
  { id: "CANCEL-FLOW", fault: "cancel", body: (trial, { flowId }) => cancelFlow(flowId, trial.profile.fields) },
  { id: "RUN-TASK", fault: "task", body: (trial, { flowId }) => rightTask(trial, flowId) },
];
