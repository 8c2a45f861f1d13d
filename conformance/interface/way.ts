/**
 * The way of a request through a target, stop by stop, with the clauses of each: a fault at one stop hides what comes
 * behind it. The first stops are the checks of section 4 in the order that it gives them.
 */
import { clauseIds, type ClauseId } from "./clauses/index.ts";

const named = (start: string) => clauseIds.filter((id) => id.startsWith(start));
const DESCRIPTION = "CONFIG-DESCRIPTION";

export const way = {
  method: ["METHOD-POST"],
  "content type": ["CONTENT-TYPE"],
  "rate limit": named("RATE-"),
  "requests in flight": named("IN-FLIGHT-"),
  authentication: named("AUTH-"),
  "secrets and routes without one": [...named("SECRET"), ...named("COLD-")],
  // The session is the route's, so it is known by now; what leaks from it weighs more than any wrong answer behind.
  "sessions and metadata": [...named("SESSION-"), "NO-METADATA", "TASK-VIEW", DESCRIPTION],
  body: ["BODY-OBJECT", "BODY-SIZE", "BODY-TIME", "ANSWER-DELIVERED"],
  "order of the checks": [...named("ORDER-"), "ANSWER-EARLY"],
  envelope: [...named("ENVELOPE-"), "ERROR-ENVELOPE"],
  "action and fields": [
    "VALIDATION",
    "ERROR-INVALID",
    "REVISION-REQUIRED",
    "RUN-TASK-RUNTIME",
    "RUN-TASK-STATUS",
    "RUN-TASK-RUNNING-FIELDS",
  ],
  actions: [
    ...named("ACTION-"),
    ...named("FLOW-"),
    "RUN-TASK-FLOW",
    "ERROR-NOT-FOUND",
    "ERROR-NOT-MANAGED",
    "ABSENT-READ",
  ],
  "states and revisions": [
    ...named("STATE-"),
    "REVISION-STALE",
    "REVISION-UNCHANGED",
    "REVISION-ADVANCES",
    "ERROR-CANCEL-CODES",
    "ERROR-PERSIST",
  ],
  "tracked keys": ["TRACKED-KEYS"],
  "routes and configuration": [
    ...named("SERVICE-"),
    ...named("CONFIG-").filter((id) => id !== DESCRIPTION),
    "PATH-SERVED",
    "OPERATOR-GUIDANCE",
  ],
  "statuses, events, versions": ["ERROR-STATUSES", "ERROR-FALLBACKS", "EVENTS", "VERSIONING"],
} as const satisfies Readonly<Record<string, readonly ClauseId[]>>;

export type StopName = keyof typeof way;

/** The stop at which a target refuses with this status. */
const refusing: Readonly<Record<number, StopName>> = {
  401: "authentication",
  403: "authentication",
  405: "method",
  408: "body",
  413: "body",
  415: "content type",
  429: "rate limit",
};

/** Where a request was refused that is right; by any other status it came to its action. */
export const stopOfStatus = (status = 0): StopName => refusing[status] ?? "actions";
