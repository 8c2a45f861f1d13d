/** Section 3: optimistic concurrency gone wrong. */
import { revisionActions } from "../../../interface/fields.ts";
import { reject } from "../../../../plugin/answer.ts";
import type { FlowRecord } from "../../../../plugin/ports.ts";
import { withAction, withOutcome, withStatuses } from "../../changes.ts";
import { failing, type Subject } from "../../subject.ts";

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
