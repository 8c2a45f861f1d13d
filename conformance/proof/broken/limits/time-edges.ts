/** Section 8: limits that are off by an instant, and refusals that are not counted. */
import { uncounted } from "../../limit-changes.ts";
import { withLimits } from "../../changes.ts";
import { subjectsOf, type Subject } from "../../subject.ts";

export const timeEdges: readonly Subject[] = subjectsOf<Subject>({
  "rate-window-59990": {
    bug: "A window ends ten milliseconds early.",
    kills: ["RATE-WINDOW-60-SECONDS"],
    change: withLimits({ windowMs: 59_990 }),
  },
  "rate-not-found-uncounted": {
    bug: "Requests for an absent flow are not counted by the rate limit.",
    kills: ["PROPERTY-LIMITS"],
    change: uncounted("not_found"),
  },
  "rate-conflict-uncounted": {
    bug: "Requests with a stale revision are not counted by the rate limit.",
    kills: ["PROPERTY-LIMITS"],
    change: uncounted("revision_conflict"),
  },
  "body-time-14990": {
    bug: "A body has 14.99 seconds.",
    kills: ["BODY-15-SECONDS"],
    change: withLimits({ bodyMs: 14_990 }),
  },
});
