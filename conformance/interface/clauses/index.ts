/** The ledger: every rule of the interface, once, in our own words, by the section that states it. */
import type { Level } from "../level.ts";

export interface Clause {
  readonly section: number;
  /** `must`: stated as a rule. `should`: follows for safe operation. `gap`: left open, bound by a profile only. */
  readonly level: Level;
  readonly text: string;
  /** Why no case can judge it from outside. */
  readonly excluded?: string | undefined;
}

/** The clauses of a section, by level and id. */
function section<Must extends string = never, Should extends string = never, Gap extends string = never>(
  number: number,
  texts: {
    readonly must?: Readonly<Record<Must, string>>;
    readonly should?: Readonly<Record<Should, string>>;
    readonly gap?: Readonly<Record<Gap, string>>;
  },
): Record<Must | Should | Gap, Clause> {
  const levels = Object.entries(texts) as [Level, Readonly<Record<string, string>>][];
  const clauses = levels.flatMap(([level, ofLevel]) =>
    Object.entries(ofLevel).map(([id, text]): [string, Clause] => [id, { section: number, level, text }]),
  );
  return Object.fromEntries(clauses) as Record<Must | Should | Gap, Clause>;
}

const clauses = {
  ...section(1, {
    must: {
      "SERVICE-HOSTED":
        "The service is a plugin inside a gateway process, installed on that host; a change of it takes a gateway restart.",
      "SERVICE-NO-ROUTES": "Without a configured route the plugin does nothing.",
      "CONFIG-PLACE": "The configuration stands in `plugins.entries.webhooks.config`: `routes`, keyed by route id.",
      "SERVICE-ROUTE": "Each configured route entry is exposed as one HTTP route.",
      "SESSION-BOUND": "A route sees and changes only TaskFlows of its bound session.",
      "SESSION-WHOLE": "Within its session a route may inspect and mutate any TaskFlow.",
      "SESSION-BIND-CALL": "All TaskFlow access goes through the runtime's bindSession call.",
      "NO-METADATA": "No response contains owner or session metadata; the bound session key cannot leak.",
      "CONFIG-ENTRY-ENABLED": "The plugin entry's own `enabled: false` turns the plugin off.",
      "CONFIG-ENABLED": "A route is enabled by default; `enabled: false` disables it.",
      "CONFIG-PATH-DEFAULT": "A route's path is `/plugins/webhooks/<routeId>` unless it is configured.",
      "CONFIG-PATH-UNIQUE": "Paths are unique across routes.",
      "CONFIG-SESSION-KEY": "A route entry needs a sessionKey.",
      "CONFIG-SECRET": "A route entry needs a secret.",
      "CONFIG-CONTROLLER": "Flows created through a route get its controllerId, `webhooks/<routeId>` by default.",
      "CONFIG-DESCRIPTION": "A route's description has no effect at run time.",
      "SECRETREF-FIELDS":
        "A SecretRef has source (env, file, exec, store), provider (`default`) and id, each a string.",
    },
    should: { "OPERATOR-GUIDANCE": "Strong, unique secrets; SecretRefs; narrow sessions; only the paths needed." },
  }),
  ...section(2, {
    must: {
      "FLOW-IDENTITY": "A TaskFlow has a string flowId and an integer revision.",
      "FLOW-GOAL": "A TaskFlow's goal is the text given at creation.",
      "FLOW-TEXTS": "A TaskFlow's goal, status, notifyPolicy and controllerId are strings.",
      "TASK-VIEW": "Views of child tasks omit owner and session metadata, the child's session key with it.",
      "ENVELOPE-OK": "Every response has a boolean `ok`: true on success, false on rejection.",
      "ENVELOPE-ROUTE-ID": "Every response has `routeId`, the id of the route that handled the request.",
      "ENVELOPE-RESULT": "Every response has `result`, an object.",
      "ENVELOPE-CODE": "A rejection has a string `code`.",
      "ENVELOPE-ERROR": "A rejection has a string `error`, readable for people.",
    },
    gap: { "ENVELOPE-TYPE": "The envelope is sent as application/json." },
  }),
  ...section(3, {
    must: {
      "STATE-CREATE": "create_flow makes a flow for the route's session; `queued` when that status is sent.",
      "STATE-SET-WAITING": "set_waiting makes the flow `waiting` and stores the state and wait data sent with it.",
      "STATE-RESUME": "resume_flow applies to a waiting or blocked flow.",
      "STATE-RESUME-ONLY": "resume_flow does not apply to a flow that is neither waiting nor blocked.",
      "STATE-FINISH": "finish_flow makes the flow `finished` and has no other effect.",
      "STATE-FAIL": "fail_flow makes the flow `failed` and has no other effect.",
      "STATE-REQUEST-CANCEL": "request_cancel asks for cooperative cancellation of an existing flow.",
      "STATE-CANCEL": "cancel_flow cancels an existing flow.",
      "STATE-CANCEL-PENDING": "cancel_flow answers 202 while child tasks are still active.",
      "REVISION-STALE": "A mutating action with a stale expectedRevision gets 409 `revision_conflict`.",
      "REVISION-UNCHANGED": "After a revision conflict the flow is unchanged.",
      "REVISION-ADVANCES": "An applied change makes the revision that it was sent with stale.",
    },
    gap: {
      "STATE-DEFAULTS": "The default status, first revision and the states that the interface does not name.",
      "STATE-TERMINAL": "What a change of a flow already ended is answered with.",
    },
  }),
  ...section(4, {
    must: {
      "METHOD-POST": "Only POST is let in.",
      "CONTENT-TYPE": "Only `application/json` is let in.",
      "PATH-SERVED": "A route answers at its configured path.",
      "BODY-OBJECT": "The body is a JSON object with a string `action`.",
      "ACTION-CREATE-FLOW": "create_flow creates a managed TaskFlow for the route's session.",
      "ACTION-GET-FLOW": "get_flow fetches one TaskFlow by id.",
      "ACTION-LIST-FLOWS": "list_flows lists the TaskFlows of the route's session.",
      "ACTION-FIND-LATEST-FLOW": "find_latest_flow fetches the most recently updated TaskFlow.",
      "ACTION-RESOLVE-FLOW": "resolve_flow resolves a TaskFlow by an opaque token.",
      "ACTION-GET-TASK-SUMMARY": "get_task_summary fetches the task summary of a TaskFlow.",
      "ACTION-SET-WAITING": "set_waiting marks a flow waiting.",
      "ACTION-RESUME-FLOW": "resume_flow resumes a waiting or blocked flow.",
      "ACTION-FINISH-FLOW": "finish_flow marks a flow finished.",
      "ACTION-FAIL-FLOW": "fail_flow marks a flow failed.",
      "ACTION-REQUEST-CANCEL": "request_cancel requests cooperative cancellation.",
      "ACTION-CANCEL-FLOW": "cancel_flow cancels a flow.",
      "ACTION-RUN-TASK": "run_task creates a managed child task inside an existing flow.",
      "REVISION-REQUIRED": "The five actions that change a flow need flowId and expectedRevision.",
      "RUN-TASK-RUNTIME": "run_task's runtime is `subagent` or `acp`.",
      "RUN-TASK-FLOW": "run_task works on an existing managed flow.",
      "RUN-TASK-STATUS": "run_task's status is optional.",
      "RUN-TASK-RUNNING-FIELDS":
        "startedAt, lastEventAt and progressSummary are valid with status `running`; without it they get 400 `invalid_request`.",
      "ORDER-METHOD-RATE": "Method and content type are checked before the rate limit.",
      "ORDER-METHOD-IN-FLIGHT": "Method and content type are checked before the in-flight limit.",
      "ORDER-METHOD-AUTH": "Method and content type are checked before the shared secret.",
      "ORDER-METHOD-BODY": "Method and content type are checked before the body is read.",
      "ORDER-RATE-IN-FLIGHT": "The rate limit is checked before the in-flight limit.",
      "ORDER-RATE-AUTH": "The rate limit is checked before the shared secret.",
      "ORDER-RATE-BODY": "The rate limit is checked before the body is read.",
      "ORDER-IN-FLIGHT-AUTH": "The in-flight limit is checked before the shared secret.",
      "ORDER-IN-FLIGHT-BODY": "The in-flight limit is checked before the body is read.",
      "ORDER-AUTH-BODY": "The shared secret is checked before the body is read.",
    },
    should: {
      "ANSWER-EARLY": "A request refused before its body is read is answered while the body is still to come.",
    },
    gap: {
      VALIDATION: "What a missing or unknown action, an unknown field or a blank text is answered with.",
      "ABSENT-READ": "What a read of an absent flow is answered with.",
    },
  }),
  ...section(5, {
    must: {
      "AUTH-BEARER": "The secret in `Authorization: Bearer` lets a request in.",
      "AUTH-PRODUCT-HEADER": "The secret in `x-<product>-webhook-secret` lets a request in.",
      "AUTH-REQUIRED": "A request without the route's own secret gets 401.",
      "SECRET-PLAIN": "A secret may be a plain string in the route's configuration.",
      "SECRET-ENV": "A SecretRef of source env resolves.",
      "SECRET-FILE": "A SecretRef of source file resolves.",
      "SECRET-EXEC": "A SecretRef of source exec resolves.",
      "SECRET-STORE": "A SecretRef of source store resolves.",
      "SECRET-SNAPSHOT": "SecretRefs are resolved at start-up, never while a request is handled.",
      "COLD-ROUTE":
        "A route whose secret could not be resolved stays registered and answers every request with a generic 401.",
      "COLD-OTHERS": "Other routes are unaffected by one whose secret could not be resolved.",
      "COLD-RESTART": "A corrected source is activated by a reload or restart.",
    },
    gap: { "AUTH-CODE": "The code and challenge of an authentication failure, and which header wins." },
  }),
  ...section(6, { gap: { EVENTS: "Events and the effect of notifyPolicy." } }),
  ...section(7, {
    must: {
      "ERROR-ENVELOPE": "Every rejection carries the whole envelope, also one before authentication.",
      "ERROR-NOT-FOUND": "`not_found` when the TaskFlow does not exist.",
      "ERROR-INVALID": "A malformed or inconsistent request gets 400 `invalid_request`.",
    },
    gap: {
      "ERROR-STATUSES": "The HTTP status of each code and check that the interface does not give.",
      "ERROR-PERSIST": "`persist_failed` when a record cannot be stored; the flow stays as it was.",
      "ERROR-CANCEL-CODES": "`cancel_requested`, `cancel_pending` and `terminal` in the course of a cancellation.",
      "ERROR-NOT-MANAGED": "`not_managed` for a flow that is not managed.",
      "ERROR-FALLBACKS":
        "request_rejected, mutation_rejected, create_rejected, task_not_created and cancel_rejected as fallbacks.",
    },
  }),
  ...section(8, {
    must: {
      "RATE-120": "120 requests of one key pass in a window; no more than that do.",
      "RATE-WINDOW": "The window is fixed and lasts 60 seconds; after it a whole new budget is there.",
      "RATE-KEY-PATH": "The rate limit counts each path on its own.",
      "RATE-KEY-ADDRESS": "The rate limit counts each client address on its own.",
      "IN-FLIGHT-8": "8 requests of one key may be in flight; a ninth is refused.",
      "IN-FLIGHT-FREED": "A request that is over is no longer in flight, however it ended.",
      "IN-FLIGHT-KEY-PATH": "The in-flight limit counts each path on its own.",
      "IN-FLIGHT-KEY-ADDRESS": "The in-flight limit counts each client address on its own.",
      "BODY-SIZE": "A body of 256 KB is read; a larger one is refused.",
      "BODY-TIME": "A body has 15 seconds to arrive.",
      "ANSWER-DELIVERED": "A refusal of a body that is too large or too slow reaches the client.",
    },
    gap: { "TRACKED-KEYS": "Up to 4,096 keys are tracked; what happens beyond is left open." },
  }),
  ...section(9, { gap: { VERSIONING: "Versioning of the interface." } }),
};

export type ClauseId = keyof typeof clauses;

/** Why no case can judge these clauses from outside. */
const excluded: Readonly<Partial<Record<ClauseId, string>>> = {
  "SERVICE-HOSTED": "How a gateway installs its plugins cannot be seen over HTTP.",
  "SESSION-BIND-CALL": "The call itself is internal; its effect is judged by SESSION-BOUND and SESSION-WHOLE.",
  "OPERATOR-GUIDANCE": "Advice to the operator, not behaviour of the plugin.",
  EVENTS: "The interface shows none.",
  "ERROR-FALLBACKS": "The interface describes no condition beyond the code's name.",
  VERSIONING: "The interface shows none.",
};

export const clauseIds = Object.keys(clauses) as readonly ClauseId[];

export const ledger = Object.fromEntries(
  clauseIds.map((id) => [id, { ...clauses[id], excluded: excluded[id] }]),
) as Readonly<Record<ClauseId, Clause>>;

/** The clause of an action: ACTION-CREATE-FLOW and so on. */
export const actionClause = (action: string): ClauseId =>
  `ACTION-${action.toUpperCase().replaceAll("_", "-")}` as ClauseId;

/** The clause of this name, which a report may have from anywhere; undefined where there is none. */
export function clauseOf(id = ""): Clause | undefined {
  return Object.hasOwn(ledger, id) ? ledger[id as ClauseId] : undefined;
}
