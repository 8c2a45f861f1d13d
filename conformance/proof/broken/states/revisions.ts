/** Section 3: optimistic concurrency gone wrong. */
import { revisionActions } from "../../../interface/fields.ts";
import { reject } from "../../../../plugin/answer.ts";
import type { FlowRecord } from "../../../../plugin/ports.ts";
import { withAction, withOutcome, withStatuses } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

/** set_waiting stores its data before it compares the revision. */
function writesFirst(): Change {
  const written = new Map<unknown, unknown>();
  return withAction(["set_waiting", "get_flow"], async ({ name, fields, right }) => {
    const { flowId, stateJson } = fields;
    if (name === "set_waiting" && stateJson !== undefined) written.set(flowId, stateJson);
    const answer = await right();
    const { flow } = answer.result as { flow?: FlowRecord | null };
    if (name === "set_waiting" || !flow || !written.has(flowId)) return answer;
    return { ...answer, result: { flow: { ...flow, stateJson: written.get(flowId) } } };
  });
}

export const revisions: readonly Subject[] = [
  ...failing("REVISION-STALE", {
    "A stale revision gets 412": withStatuses({ revision_conflict: 412 }),
    "A conflict's result shows the flow with the revision that was sent": withOutcome(
      revisionActions,
      (answer, fields) => {
        const { current } = answer.result as { current?: FlowRecord };
        if (answer.code !== "revision_conflict" || current === undefined) return answer;
        return { ...answer, result: { applied: false, current: { ...current, revision: fields["expectedRevision"] } } };
      },
    ),
  }),
  ...failing("REVISION-OTHER", {
    "set_waiting stores its data before it checks the revision": writesFirst(),
  }),
  ...failing("STATES-SET-WAITING", {
    "set_waiting compares expectedRevision with that of the session's latest flow": withAction(
      "set_waiting",
      async ({ fields, context, right }) => {
        const [latest] = (await context.flows.list()).toSorted((one, other) => other.updatedAt - one.updatedAt);
        const fits = latest === undefined || latest.revision === fields["expectedRevision"];
        return fits ? right() : reject("revision_conflict");
      },
    ),
  }),
];
