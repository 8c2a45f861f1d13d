/** The known departures of the peer from the interface or from the reference profile, each with the cases that find it. */

export interface Departure {
  readonly number: number;
  /** What the peer does, in a sentence. */
  readonly what: string;
  /** The interface states otherwise (`stated`), or only the reference profile decides otherwise (`gap`). */
  readonly against: "stated" | "gap";
  readonly cases: readonly string[];
}

export const departures: readonly Departure[] = [
  {
    number: 1,
    what: "The rate limit runs before the content-type check, so requests with another content type use up the budget.",
    against: "stated",
    cases: [
      "ORDER-CONTENT-TYPE-BEFORE-RATE",
      "ORDER-CONTENT-TYPE-BEFORE-RATE-AND-BODY",
      "ORDER-CONTENT-TYPE-SPENDS-NO-BUDGET",
      "PROPERTY-ORDER",
    ],
  },
  {
    number: 2,
    what: "Refusals before the action is read are bare text, and 400 invalid_request has neither routeId nor result.",
    against: "stated",
    cases: ["ALWAYS-ENVELOPE", "BODY-SHAPES", "REFUSED-AGAIN-REQUESTS"],
  },
  {
    number: 3,
    what: "The rate limit's key is the path as it was sent, so another spelling of it opens another budget.",
    against: "gap",
    cases: ["RATE-PATH-SPELLINGS", "LIMITS-PATH-SPELLED"],
  },
  {
    number: 4,
    what: "resume_flow applies in any state, also to a flow that has ended.",
    against: "stated",
    cases: [
      "ACTION-RESUME-QUEUED",
      "ACTION-RESUME-FINISHED",
      "ACTION-RESUME-FAILED",
      "ACTION-RESUME-RESUMED",
      "ACTION-RESUME-CANCELLED",
      "REFUSED-AGAIN-STATES",
      "PROPERTY-RACES",
    ],
  },
  {
    number: 4,
    what: "set_waiting, finish_flow and fail_flow apply to flows that have ended.",
    against: "gap",
    cases: ["GAP-ENDED-BY-FINISH-FLOW", "GAP-ENDED-BY-FAIL-FLOW", "GAP-ENDED-BY-CANCEL-FLOW"],
  },
  {
    number: 5,
    what: "finish_flow gives the status succeeded, where the state is called finished.",
    against: "stated",
    cases: ["ACTION-FINISH-FLOW", "PROPERTY-STATES"],
  },
  {
    number: 5,
    what: "find_latest_flow gives the flow created last, not the one updated last.",
    against: "stated",
    cases: ["ACTION-FIND-LATEST-FLOW", "ACTION-FIND-LATEST-ENDED"],
  },
  {
    number: 6,
    what: "Content types that end in +json are accepted.",
    against: "stated",
    cases: ["CONTENT-TYPE-SUFFIX"],
  },
  {
    number: 6,
    what: "Views of tasks show the childSessionKey.",
    against: "stated",
    cases: ["NEVER-METADATA", "RUN-TASK-CHILD-SESSION-KEY"],
  },
  {
    number: 7,
    what: "After a 413 the in-flight slot stays taken until the connection is closed.",
    against: "gap",
    cases: ["IN-FLIGHT-FREED-AT-413"],
  },
];
