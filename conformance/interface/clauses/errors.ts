import { clauses } from "./clause.ts";

const unnamed = "The interface describes no condition beyond the code's name.";

/** Sections 6, 7 and 9: events, errors, versioning. */
export const errors = clauses({
  EVENTS: {
    section: 6,
    level: "gap",
    text: "Events and the effect of notifyPolicy.",
    excluded: "The interface shows none.",
  },
  "ERROR-ENVELOPE": {
    section: 7,
    level: "must",
    text: "Every rejection carries the whole envelope, also one before authentication.",
  },
  "ERROR-NOT-FOUND": { section: 7, level: "must", text: "`not_found` when the TaskFlow does not exist." },
  "ERROR-INVALID": {
    section: 7,
    level: "must",
    text: "A malformed or inconsistent request gets 400 `invalid_request`.",
  },
  "ERROR-STATUSES": {
    section: 7,
    level: "gap",
    text: "The HTTP status of each code and check that the interface does not give.",
  },
  "ERROR-PERSIST": {
    section: 7,
    level: "gap",
    text: "`persist_failed` when a record cannot be stored; the flow stays as it was.",
  },
  "ERROR-CANCEL-CODES": {
    section: 7,
    level: "gap",
    text: "`cancel_requested`, `cancel_pending` and `terminal` in the course of a cancellation.",
  },
  "ERROR-NOT-MANAGED": { section: 7, level: "gap", text: "`not_managed` for a flow that is not managed." },
  "ERROR-FALLBACKS": {
    section: 7,
    level: "gap",
    text: "request_rejected, mutation_rejected, create_rejected, task_not_created and cancel_rejected as fallbacks.",
    excluded: unnamed,
  },
  VERSIONING: { section: 9, level: "gap", text: "Versioning of the interface.", excluded: "The interface shows none." },
});
