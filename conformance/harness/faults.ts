/** What happens while a record cannot be stored, as far as a profile binds it. Needs the control port. */
import { randomUUID } from "node:crypto";
import { cancelFlow, change, createFlow, runTask } from "../../fixtures/bodies.ts";
import type { ActionBody } from "../../fixtures/request.ts";
import type { Case } from "./case.ts";
import { check, mustAccept, mustRefuse, twin, type FlowView } from "./checks.ts";
import type { PersistenceFault } from "../targets/control.ts";
import type { Trial } from "./trial.ts";
import { changeActions, checkSame, idOf, mustNotBeCreated, readBack, waitingFlow } from "./flows.ts";
import { metadataOf, assertNoLeak } from "./leaks.ts";
import { taskCount } from "./tasks.ts";

/** Makes one operation fail while `during` runs. */
export async function failing(trial: Trial, fault: PersistenceFault, during: () => Promise<void>): Promise<void> {
  await trial.control.persistence([fault]);
  try {
    await during();
  } finally {
    await trial.control.persistence([]);
  }
}

/** A request that cannot be carried out while an operation fails. */
interface Fault {
  readonly id: string;
  readonly fault: PersistenceFault;
  body(trial: Trial, flow: FlowView): ActionBody;
}

export const faults: readonly Fault[] = [
  { id: "CREATE-FLOW", fault: "create", body: () => createFlow("not stored") },
  ...changeActions.map((action): Fault => {
    return { id: idOf(action), fault: "update", body: (_trial, flow) => change(action, flow) };
  }),
  { id: "CANCEL-FLOW", fault: "cancel", body: (trial, { flowId }) => cancelFlow(flowId, trial.profile.fields) },
  { id: "RUN-TASK", fault: "task", body: (_trial, { flowId }) => runTask(flowId) },
];

const perAction: readonly Case[] = faults.map(({ id, fault, body }) => ({
  id: `GAP-NOT-STORED-${id}`,
  title: `${id.toLowerCase().replaceAll("-", "_")} that cannot be stored is refused, changes nothing and works afterwards`,
  clauses: ["ERROR-PERSIST", "NO-METADATA"],
  level: "gap",
  gaps: ["status.persist_failed"],
  needs: ["persistence"],
  alone: true,
  requests: 14,
  async run(trial) {
    // Only a change that would show tells that nothing was changed.
    const flow = id === "RESUME-FLOW" ? await waitingFlow(trial) : await trial.flow();
    const request = body(trial, flow);
    const [before, tasks] = [await readBack(trial, flow.flowId), await taskCount(trial, flow.flowId)];
    await failing(trial, fault, async () => {
      const as = { status: trial.gap("status.persist_failed"), code: "persist_failed" };
      const refused = mustRefuse(await trial.post(request), as);
      assertNoLeak(metadataOf(trial), refused);
      checkSame(before, before && (await readBack(trial, flow.flowId)), refused);
      check((await taskCount(trial, flow.flowId)) === tasks, "no task added", "another number of tasks", refused);
    });
    checkSame(before, before && (await readBack(trial, flow.flowId)), lastOf(trial));
    mustAccept(await trial.post(request), "the same request accepted once records can be stored");
  },
}));

function lastOf(trial: Trial) {
  const last = trial.exchanges.at(-1);
  if (last === undefined) throw new Error("nothing was sent");
  return last;
}

export const faultCases: readonly Case[] = [
  ...perAction,
  {
    id: "GAP-NOT-STORED-NOT-LISTED",
    title: "A create_flow that could not be stored leaves no flow behind",
    clauses: ["ERROR-PERSIST"],
    level: "gap",
    gaps: ["status.persist_failed"],
    needs: ["persistence"],
    alone: true,
    requests: 3,
    async run(trial) {
      const goal = `not stored ${randomUUID()}`;
      await failing(trial, "create", async () => {
        mustRefuse(await trial.post(createFlow(goal)), { code: "persist_failed" });
      });
      await mustNotBeCreated(trial, goal, "refused");
    },
  },
  {
    id: "GAP-NOT-STORED-READS",
    title: "Flows are still read while none can be stored",
    clauses: ["ERROR-PERSIST"],
    level: "gap",
    gaps: ["status.persist_failed"],
    needs: ["persistence"],
    alone: true,
    requests: 6,
    async run(trial) {
      const flow = await trial.flow();
      const before = await readBack(trial, flow.flowId);
      await failing(trial, "update", async () => {
        mustRefuse(await trial.post(change("finish_flow", flow)), { code: "persist_failed" });
        checkSame(before, before && (await readBack(trial, flow.flowId)), lastOf(trial));
      });
      twin(await trial.post(change("finish_flow", flow)));
    },
  },
];
