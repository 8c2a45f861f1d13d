/** Sections 3 and 4: simultaneous requests that do not contend for a revision are all carried out. */
import { change, createFlow, runTask } from "../../../fixtures/bodies.ts";
import { isAccepted, type Exchange } from "../../http/exchange.ts";
import { NotApplicable, Unreached } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, flowOf, mustAccept } from "../../harness/checks.ts";
import { taskCount, taskForm } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";

/** Requests at once: half from the route, half from its sibling, each key well below the in-flight limit. */
const AT_ONCE = 8;
const ROUNDS = 3;

async function atOnce(trial: Trial, body: () => Parameters<Trial["post"]>[0]): Promise<Exchange[]> {
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) => trial.post(body(), index % 2 === 0 ? trial.route : trial.sibling)),
  );
  const accepted = answers.filter(isAccepted);
  if (accepted.length === 0) throw new Unreached("none of several requests at the same time was accepted", answers);
  return accepted;
}

export const simultaneousCases: readonly Case[] = [
  {
    id: "ACTION-CREATE-FLOW-AT-ONCE",
    title: "Flows that are created at the same time are flows of their own, none of them lost",
    clauses: ["FLOW-IDENTITY", "ACTION-CREATE-FLOW"],
    level: "must",
    requests: ROUNDS * AT_ONCE * 2,
    async run(trial) {
      for (let round = 0; round < ROUNDS; round += 1) {
        const created = await atOnce(trial, () => createFlow());
        const flows = created.map(flowOf);
        const ids = new Set(flows.map(({ flowId }) => flowId));
        check(ids.size === flows.length, "a flowId of its own for each flow", "one for several", ...created);
        for (const flow of flows) mustAccept(await trial.post(change("set_waiting", flow)), "each flow still there");
      }
    },
  },
  {
    id: "RUN-TASK-AT-ONCE",
    title: "Tasks that are started in one flow at the same time are all counted",
    clauses: ["ACTION-RUN-TASK", "ACTION-GET-TASK-SUMMARY"],
    level: "must",
    requests: ROUNDS * (AT_ONCE + 6),
    reading: "A target may take fewer at once than are sent; each task that it has accepted is there.",
    async run(trial) {
      for (let round = 0; round < ROUNDS; round += 1) {
        const { flowId } = await trial.flow();
        const form = await taskForm(trial, flowId);
        const first = await taskCount(trial, flowId);
        if (first !== 1) throw new NotApplicable("the summary of a flow with one task shows no total of 1");
        const accepted = await atOnce(trial, () => runTask(flowId, form));
        const total = await taskCount(trial, flowId);
        const last = accepted.slice(-1);
        check(
          total === first + accepted.length,
          "a task for each run_task that was accepted",
          "fewer or more",
          ...last,
        );
      }
    },
  },
];
