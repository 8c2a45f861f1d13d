/** A target may show flow ids in another form than its runtime has them, which is all that a control port knows. */
import { randomUUID } from "node:crypto";
import { askedOnce } from "./asked-once.ts";
import { NotApplicable } from "./case-errors.ts";
import { flowsOf, type FlowView } from "./checks.ts";
import type { Trial } from "./trial.ts";

const OWN_IDS =
  "the target shows flow ids in a form of its own, and its control port knows those of its runtime alone: a flow that one " +
  "of them names cannot be found at the other";

/** The flow with this goal as the route shows it; undefined where it shows no such goal. */
export async function shownWithGoal(trial: Trial, goal: string): Promise<FlowView | undefined> {
  for (const action of ["find_latest_flow", "list_flows"] as const) {
    const flow = flowsOf(await trial.post({ action })).find((one) => one.goal === goal);
    if (flow !== undefined) return flow;
  }
  return undefined;
}

const once = askedOnce<boolean>();

/** Whether a flow that the control port stores is shown under another id; false where that cannot be seen. */
export const hasOwnIds = (trial: Trial): Promise<boolean> =>
  once(trial.server, "the form of flow ids", async () => {
    const { control } = trial.server;
    if (control?.capabilities.has("sessions") !== true) return false;
    const goal = `goal beside an id ${randomUUID()}`;
    const seeded = await control.seed({ sessionKey: trial.route.sessionKey, goal }).catch(() => undefined);
    const shown = seeded && (await shownWithGoal(trial, goal));
    return shown !== undefined && shown.flowId !== seeded?.flowId;
  });

/** Whether the control port ends child tasks, and knows of which flow. */
export const settles = async (trial: Trial): Promise<boolean> =>
  trial.server.control?.capabilities.has("children") === true && !(await hasOwnIds(trial));

/** For cases that name a flow to the control port: not applicable where the ids of the two sides differ. */
export async function mustKnowIds(trial: Trial): Promise<void> {
  if (await hasOwnIds(trial)) throw new NotApplicable(OWN_IDS);
}
