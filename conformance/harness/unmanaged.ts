/** A flow that is not managed, and what may not be done to it. Needs the capability `sessions`. */
import { change, smallest } from "../interface/bodies.ts";
import type { ActionBody } from "../interface/request.ts";
import { mustTakeTwin } from "./checks.ts";
import { changeActions } from "../interface/flow-model.ts";
import { mustKnowIds } from "./own-ids.ts";
import type { Trial } from "./trial.ts";
import { rightTask } from "./tasks.ts";

const readActions = ["get_flow", "resolve_flow", "get_task_summary", "list_flows", "find_latest_flow"] as const;

/**
 * Seeds one in the route's session, after a managed twin of it was changed. `bodies`: each action that changes a flow;
 * `reads`: each that shows one.
 */
export async function unmanaged(trial: Trial) {
  await mustKnowIds(trial);
  const { sessionKey } = trial.route;
  const managed = await trial.control.seed({ sessionKey, managed: true });
  mustTakeTwin(await trial.post(change("set_waiting", managed)));
  const flow = await trial.control.seed({ sessionKey, managed: false, status: "waiting" });
  trial.record.add("the runtime stores a flow that is not managed");
  const bodies: readonly ActionBody[] = [
    ...changeActions.map((action) => change(action, flow)),
    smallest("cancel_flow", flow, trial.profile.fields),
    await rightTask(trial, flow.flowId),
  ];
  const reads = readActions.map((action): ActionBody => smallest(action, flow, trial.profile.fields));
  return { flow, bodies, reads };
}
