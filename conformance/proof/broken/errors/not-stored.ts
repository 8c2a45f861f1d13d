/** Sections 3 and 8: other rules broken when nothing can be stored. */
import { uncounted } from "../../limit-changes.ts";
import { revisionActions } from "../../../interface/fields.ts";
import { reject } from "../../../../plugin/answer.ts";
import { withAction } from "../../changes.ts";
import { subjectsOf, type Subject } from "../../subject.ts";

/** Flows whose last change could not be stored. */
const unstored = new Set<unknown>();

export const notStored: readonly Subject[] = subjectsOf<Subject>({
  "persist-before-revision": {
    bug: "Once a change of a flow could not be stored, a stale one is answered likewise until one can.",
    kills: ["REVISION-STALE-NOT-STORED"],
    change: withAction(revisionActions, ({ run }) => ({
      run: async (fields, context) => {
        const answer = await run(fields, context);
        if (answer.ok) unstored.delete(fields["flowId"]);
        if (answer.code === "persist_failed") unstored.add(fields["flowId"]);
        const isStale = answer.code === "revision_conflict" && unstored.has(fields["flowId"]);
        return isStale ? reject("persist_failed") : answer;
      },
    })),
  },
  "rate-not-stored-uncounted": {
    bug: "Requests that end in a status of 500 and more are not counted by the rate limit.",
    kills: ["PROPERTY-LIMITS"],
    change: uncounted("persist_failed"),
  },
});
