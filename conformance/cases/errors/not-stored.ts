/** Sections 3, 7 and 8: what is refused because a record cannot be stored, and the rules that hold meanwhile. Needs the control port. */
import { randomUUID } from "node:crypto";
import { cancelFlow, change } from "../../interface/bodies.ts";
import { changeActions } from "../../interface/flow-model.ts";
import { envelopeOf, isAccepted } from "../../http/exchange.ts";
import { leftOut, NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustAccept, mustRefuse, mustTakeTwin, type FlowView } from "../../harness/checks.ts";
import { withFault, faults } from "../../harness/faults.ts";
import {
  flowAfter,
  mustBeUnchanged,
  mustNotBeCreated,
  readBack,
  sendCancel,
  sendChange,
  SETTLING_MS,
  waitingFlow,
} from "../../harness/flows.ts";
import { mustFit, refusedStatus } from "../../harness/open-values.ts";
import { mustBePending, startedTask, taskCount } from "../../harness/tasks.ts";
import type { Trial } from "../../harness/trial.ts";
import { rowCase } from "../../oracle/row-case.ts";

const PENDING = "cancel_flow of a flow with a running child";
const names: readonly [string, ...string[]] = [PENDING, ...faults.map(({ action }) => action)];
const isNamed = ({ profile }: Trial): boolean => profile.gaps["status.persist_failed"] !== undefined;

/** Where a 202 changes its flow, one that could not be stored may not be answered so and then forgotten. */
async function mustNoteOrRefuse(trial: Trial): Promise<void> {
  const withChild = async () => {
    const { flowId } = await trial.flow();
    return flowAfter(trial, await startedTask(trial, flowId, { status: "running" }), flowId);
  };
  const isNoted = async ({ flowId, revision }: FlowView) => (await readBack(trial, flowId))?.revision !== revision;
  const right = await withChild();
  mustBePending(await sendCancel(trial, right.flowId));
  if (!(await isNoted(right))) throw new NotApplicable("a cancellation that waits does not change its flow");
  const flow = await withChild();
  const answer = await withFault(trial, "cancel", () => trial.post(cancelFlow(flow.flowId, trial.profile.fields)));
  if (!isAccepted(answer)) return;
  const isKept = await trial.until(() => isNoted(flow), SETTLING_MS);
  check(isKept, "a refusal, or the flow changed as by any such answer", "neither", answer);
}

export const notStoredCases: readonly Case[] = [
  rowCase({
    id: "NOT-STORED-REFUSED",
    title: "A change that cannot be stored is refused without a trace; reads still work",
    clauses: ["ENVELOPE-OK", "ERROR-PERSIST", "NO-METADATA"],
    level: "must",
    gaps: ["status.persist_failed"],
    needs: ["persistence"],
    alone: true,
    requests: 120,
    reading:
      "`ok: true` says that an action was carried out (section 2), so what could not be stored is a rejection. That its code is " +
      "persist_failed, and its status, only a profile says. A 202 for a cancellation that waits for children says that it " +
      "is noted, where other such answers change the flow; a refused create_flow leaves no flow behind, also where only " +
      "changes cannot be stored.",
    // More than eight refusals of one client, each of which has to free its slot.
    client: "one",
    table: { factors: { "storing fails": names }, listed: names.map((name) => ({ "storing fails": name })) },
    // A cancellation may be noted first and stored later, so only a profile says that it is refused.
    valuesOf: async (trial) =>
      isNamed(trial)
        ? {}
        : { "storing fails": names.filter((name) => name !== "cancel_flow" && name !== "request_cancel") },
    async play(trial, { "storing fails": name }) {
      if (name === PENDING) {
        await mustNoteOrRefuse(trial).catch(leftOut);
        return;
      }
      const { action, fault, body } = faults.find((one) => one.action === name) as (typeof faults)[number];
      // Only a change that a view would show can prove that nothing was changed.
      const flow = action === "resume_flow" ? await waitingFlow(trial) : await trial.flow();
      const goal = `not stored ${randomUUID()}`;
      const request = await body(trial, flow, goal);
      const [before, tasks] = [await readBack(trial, flow.flowId), await taskCount(trial, flow.flowId)];
      await withFault(trial, fault, async () => {
        const refused = mustRefuse(await trial.post(request), isNamed(trial) ? { code: "persist_failed" } : {});
        mustFit(trial, "status.persist_failed", refusedStatus()(refused), refused);
        await mustBeUnchanged(trial, before, refused);
        check((await taskCount(trial, flow.flowId)) === tasks, "no task added", "another number of tasks", refused);
        mustRefuse(await trial.post(request), {}, "the same request again");
      });
      await mustBeUnchanged(trial, before);
      if (action === "create_flow") await mustNotBeCreated(trial, { refused: goal }).catch(leftOut);
      const again = await trial.post(request);
      // Whether a task has to name its session is open: the request may be refused at any time.
      if (isNamed(trial) || action !== "run_task")
        mustAccept(again, `the same ${action} accepted once records can be stored`);
      if (action !== "create_flow") return;
      // Now there is a flow with its goal, which would be no answer to this request.
      mustRefuse(await withFault(trial, fault, () => trial.post(request)));
      // Where no change can be stored a creation in two steps ends half-way: for what only some flows have, perhaps.
      for (const more of [{}, { status: "waiting" }]) {
        const half = `half-way ${randomUUID()}`;
        const made = await withFault(trial, "update", () => trial.post({ ...request, ...more, goal: half }));
        if (!isAccepted(made)) await mustNotBeCreated(trial, { refused: half }).catch(leftOut);
      }
    },
  }),
  {
    id: "REVISION-STALE-NOT-STORED",
    title: "A stale revision gets 409 revision_conflict even while no change can be stored",
    clauses: ["REVISION-STALE"],
    level: "should",
    mustInOwnGateway: true,
    needs: ["persistence"],
    alone: true,
    requests: 12,
    reading:
      "The rule on stale revisions names no exception, and to refuse one nothing has to be stored. A store that " +
      "compares and writes in one step can only say that it failed; the embedded gateway's says that the revision is stale.",
    async run(trial) {
      const stale = await trial.flow();
      const flow = await sendChange(trial, "set_waiting", stale);
      await withFault(trial, "update", async () => {
        const right = await trial.post(change("set_waiting", flow));
        if (isAccepted(right)) throw new NotApplicable("what cannot be stored is accepted");
        await trial.each(changeActions, async (action) =>
          mustRefuse(await trial.post(change(action, stale)), { status: 409, code: "revision_conflict" }),
        );
      });
      const after = await trial.post(change("set_waiting", flow));
      const isConflict = envelopeOf(after)?.code === "revision_conflict";
      check(!isConflict, "the flow as it was after a change that could not be stored", "another revision", after);
      mustTakeTwin(after);
    },
  },
];
