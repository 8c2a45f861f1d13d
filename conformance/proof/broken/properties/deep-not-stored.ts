/** Faults that show only after a change could not be stored. */
import { revisionActions } from "../../../interface/fields.ts";
import { accept } from "../../../../plugin/answer.ts";
import { both, withAction, withOutcome, withRequest, currentRevision } from "../../changes.ts";
import type { Change } from "../../subject.ts";

/** The second failure of a flow's changes has used up the revision that the flow still shows. */
export function secondFailureSpendsRevision(): Change {
  const failures = new Map<unknown, number>();
  const counting = withOutcome(revisionActions, (answer, { flowId }) => {
    if (answer.code === "persist_failed") failures.set(flowId, (failures.get(flowId) ?? 0) + 1);
    return answer;
  });
  const spent = withRequest(async (body, context) => {
    const { action, flowId, expectedRevision } = body;
    if (!(revisionActions as readonly unknown[]).includes(action) || failures.get(flowId) !== 2) return body;
    const current = await currentRevision(flowId, context);
    return expectedRevision === current ? { ...body, expectedRevision: current + 1 } : body;
  });
  return both(counting, spent);
}

/** A task that could not be stored is waited for when its flow is cancelled. */
export function lostTaskAwaited(): Change {
  const awaited = new Set<unknown>();
  const noting = withOutcome(["run_task"], (answer, { flowId }) => {
    if (answer.code === "persist_failed") awaited.add(flowId);
    return answer;
  });
  const waiting = withAction("cancel_flow", ({ run }) => ({
    run: async (fields, context) =>
      awaited.has(fields["flowId"])
        ? accept({ found: true, cancelled: false }, "cancel_pending")
        : run(fields, context),
  }));
  return both(noting, waiting);
}
