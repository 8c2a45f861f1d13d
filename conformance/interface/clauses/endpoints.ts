import { clauses } from "./clause.ts";
import { actionNames, type ActionName } from "../../../fixtures/fields.ts";

const purposes: Record<ActionName, string> = {
  create_flow: "creates a managed TaskFlow for the route's session",
  get_flow: "fetches one TaskFlow by id",
  list_flows: "lists the TaskFlows of the route's session",
  find_latest_flow: "fetches the most recently updated TaskFlow",
  resolve_flow: "resolves a TaskFlow by an opaque token",
  get_task_summary: "fetches the task summary of a TaskFlow",
  set_waiting: "marks a flow waiting",
  resume_flow: "resumes a waiting or blocked flow",
  finish_flow: "marks a flow finished",
  fail_flow: "marks a flow failed",
  request_cancel: "requests cooperative cancellation",
  cancel_flow: "cancels a flow",
  run_task: "creates a managed child task inside an existing flow",
};

/** `ACTION-CREATE-FLOW` and so on: one clause for each of the 13 actions. */
type ActionClause = `ACTION-${Uppercase<ActionName> extends infer N extends string ? Hyphenated<N> : never}`;
type Hyphenated<S extends string> = S extends `${infer A}_${infer B}` ? `${A}-${Hyphenated<B>}` : S;

/** The clause of one action. */
export function actionClause(action: ActionName): ActionClause {
  return `ACTION-${action.toUpperCase().replaceAll("_", "-")}` as ActionClause;
}

const actionClauses = Object.fromEntries(
  actionNames.map((action) => [
    actionClause(action),
    { section: 4, level: "must", text: `${action} ${purposes[action]}.` },
  ]),
) as Record<ActionClause, { section: 4; level: "must"; text: string }>;

/** Section 4: endpoints, actions and the order of checks. */
export const endpoints = clauses({
  "METHOD-POST": { section: 4, level: "must", text: "Only POST is let in." },
  "CONTENT-TYPE": { section: 4, level: "must", text: "Only `application/json` is let in." },
  "PATH-SERVED": { section: 4, level: "must", text: "A route answers at its configured path." },
  "BODY-OBJECT": { section: 4, level: "must", text: "The body is a JSON object with a string `action`." },
  ...actionClauses,
  "REVISION-REQUIRED": {
    section: 4,
    level: "must",
    text: "The five actions that change a flow need flowId and expectedRevision.",
  },
  "RUN-TASK-RUNTIME": { section: 4, level: "must", text: "run_task's runtime is `subagent` or `acp`." },
  "RUN-TASK-FLOW": { section: 4, level: "must", text: "run_task works on an existing managed flow." },
  "RUN-TASK-STATUS": { section: 4, level: "must", text: "run_task's status is optional." },
  "RUN-TASK-RUNNING-FIELDS": {
    section: 4,
    level: "must",
    text: "startedAt, lastEventAt and progressSummary without status `running` get 400 `invalid_request`.",
  },
  "ORDER-METHOD-RATE": {
    section: 4,
    level: "must",
    text: "Method and content type are checked before the rate limit.",
  },
  "ORDER-METHOD-IN-FLIGHT": {
    section: 4,
    level: "must",
    text: "Method and content type are checked before the in-flight limit.",
  },
  "ORDER-METHOD-AUTH": {
    section: 4,
    level: "must",
    text: "Method and content type are checked before the shared secret.",
  },
  "ORDER-METHOD-BODY": {
    section: 4,
    level: "must",
    text: "Method and content type are checked before the body is read.",
  },
  "ORDER-RATE-IN-FLIGHT": { section: 4, level: "must", text: "The rate limit is checked before the in-flight limit." },
  "ORDER-RATE-AUTH": { section: 4, level: "must", text: "The rate limit is checked before the shared secret." },
  "ORDER-RATE-BODY": { section: 4, level: "must", text: "The rate limit is checked before the body is read." },
  "ORDER-IN-FLIGHT-AUTH": {
    section: 4,
    level: "must",
    text: "The in-flight limit is checked before the shared secret.",
  },
  "ORDER-IN-FLIGHT-BODY": {
    section: 4,
    level: "must",
    text: "The in-flight limit is checked before the body is read.",
  },
  "ORDER-AUTH-BODY": { section: 4, level: "must", text: "The shared secret is checked before the body is read." },
  "ANSWER-EARLY": {
    section: 4,
    level: "should",
    text: "A request refused before its body is read is answered while the body is still owed.",
  },
  VALIDATION: {
    section: 4,
    level: "gap",
    text: "What a missing or unknown action, an unknown field, a wrong type or a blank text is answered with.",
  },
  "ABSENT-READ": { section: 4, level: "gap", text: "What a read of an absent flow is answered with." },
});
