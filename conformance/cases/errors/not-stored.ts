/** Sections 3, 7 and 8: what is refused because a record cannot be stored, and the rules that hold meanwhile. Needs the control port. */
import { randomUUID } from "node:crypto";
import { change, createFlow } from "../../interface/bodies.ts";
import { envelopeOf, isAccepted, type Exchange } from "../../http/exchange.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse, mustTakeTwin } from "../../harness/checks.ts";
import { failing, faults } from "../../harness/faults.ts";
import {
  changeActions,
  sendChange,
  mustBeUnchanged,
  mustNotBeCreated,
  readBack,
  waitingFlow,
} from "../../harness/flows.ts";
import { taskCount } from "../../harness/tasks.ts";

function mustNotStore(exchanges: readonly Exchange[]): void {
  if (exchanges.some(isAccepted)) throw new NotApplicable("what cannot be stored is accepted");
}

const perAction: readonly Case[] = faults.map(({ id, fault, body }) => ({
  id: `GAP-NOT-STORED-${id}`,
  title: `${id.toLowerCase().replaceAll("-", "_")} that cannot be stored is refused, changes nothing and works afterwards`,
  clauses: ["ERROR-PERSIST", "NO-METADATA"],
  gaps: ["status.persist_failed"],
  needs: ["persistence"],
  alone: true,
  requests: 14,
  async run(trial) {
    // Only a change that a view would show can prove that nothing was changed.
    const flow = id === "RESUME-FLOW" ? await waitingFlow(trial) : await trial.flow();
    const request = await body(trial, flow);
    const [before, tasks] = [await readBack(trial, flow.flowId), await taskCount(trial, flow.flowId)];
    await failing(trial, fault, async () => {
      const as = { status: trial.gap("status.persist_failed"), code: "persist_failed" };
      const refused = mustRefuse(await trial.post(request), as);
      await mustBeUnchanged(trial, before, refused);
      check((await taskCount(trial, flow.flowId)) === tasks, "no task added", "another number of tasks", refused);
    });
    await mustBeUnchanged(trial, before);
    mustAccept(await trial.post(request), "the same request accepted once records can be stored");
  },
}));

export const notStoredCases: readonly Case[] = [
  ...perAction,
  {
    id: "GAP-NOT-STORED-NOT-LISTED",
    title: "A create_flow that could not be stored leaves no flow behind",
    clauses: ["ERROR-PERSIST"],
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
    gaps: ["status.persist_failed"],
    needs: ["persistence"],
    alone: true,
    requests: 6,
    async run(trial) {
      const flow = await trial.flow();
      const before = await readBack(trial, flow.flowId);
      await failing(trial, "update", async () => {
        mustRefuse(await trial.post(change("finish_flow", flow)), { code: "persist_failed" });
        await mustBeUnchanged(trial, before);
      });
      mustTakeTwin(await trial.post(change("finish_flow", flow)));
    },
  },
  {
    id: "REVISION-STALE-NOT-STORED",
    title: "A stale revision gets 409 revision_conflict also while no change can be stored",
    clauses: ["REVISION-STALE"],
    level: "should",
    needs: ["persistence"],
    alone: true,
    requests: 12,
    reading:
      "The rule on stale revisions names no exception, and to refuse one nothing has to be stored. A store that " +
      "compares and writes in one step can only say that it failed.",
    async run(trial) {
      const stale = await trial.flow();
      const flow = await sendChange(trial, "set_waiting", stale);
      await failing(trial, "update", async () => {
        mustNotStore([await trial.post(change("set_waiting", flow))]);
        for (const action of changeActions) {
          mustRefuse(await trial.post(change(action, stale)), { status: 409, code: "revision_conflict" });
        }
      });
      const after = await trial.post(change("set_waiting", flow));
      const isConflict = envelopeOf(after)?.code === "revision_conflict";
      check(!isConflict, "the flow as it was after a change that could not be stored", "another revision", after);
      mustTakeTwin(after);
    },
  },
];
