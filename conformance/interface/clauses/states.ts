import { clauses } from "./clause.ts";

/** Section 3: states, transitions and revisions. */
export const states = clauses({
  "STATE-CREATE": {
    section: 3,
    level: "must",
    text: "create_flow makes a flow for the route's session; `queued` when that status is sent.",
  },
  "STATE-SET-WAITING": { section: 3, level: "must", text: "set_waiting makes the flow `waiting`." },
  "STATE-RESUME": { section: 3, level: "must", text: "resume_flow applies to a waiting or blocked flow." },
  "STATE-RESUME-ONLY": {
    section: 3,
    level: "must",
    text: "resume_flow does not apply to a flow that is neither waiting nor blocked.",
  },
  "STATE-FINISH": { section: 3, level: "must", text: "finish_flow makes the flow `finished`." },
  "STATE-FAIL": { section: 3, level: "must", text: "fail_flow makes the flow `failed`." },
  "STATE-REQUEST-CANCEL": {
    section: 3,
    level: "must",
    text: "request_cancel asks for cooperative cancellation of an existing flow.",
  },
  "STATE-CANCEL": { section: 3, level: "must", text: "cancel_flow cancels an existing flow." },
  "STATE-CANCEL-PENDING": {
    section: 3,
    level: "must",
    text: "cancel_flow answers 202 while child tasks are still active.",
  },
  "REVISION-STALE": {
    section: 3,
    level: "must",
    text: "A mutating action with a stale expectedRevision gets 409 `revision_conflict`.",
  },
  "REVISION-UNCHANGED": { section: 3, level: "must", text: "After a revision conflict the flow is unchanged." },
  "REVISION-ADVANCES": {
    section: 3,
    level: "must",
    text: "An applied change makes the revision that it was sent with stale.",
  },
  "STATE-DEFAULTS": {
    section: 3,
    level: "gap",
    text: "The default status, first revision and the states that the interface does not name.",
  },
  "STATE-TERMINAL": { section: 3, level: "gap", text: "What a change of a flow already ended is answered with." },
});
