/** Freedoms in the fields of a request: what an action needs, does not take, or calls by another name. */
import { reject } from "../../../plugin/answer.ts";
import type { Code } from "../../../plugin/codes.ts";
import type { JsonObject } from "../../../plugin/json.ts";
import type { Json } from "../../../plugin/ports.ts";
import { withStage } from "../changes.ts";
import type { Change, Different } from "../subject.ts";

type Fits = (body: JsonObject) => boolean;

const isObjectOrAbsent = (value: Json | undefined): boolean =>
  value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value));
const namesChild: Fits = (body) => typeof body["childSessionKey"] === "string";

/** An action is refused unless its fields are like this. */
const insists = (action: string, fits: Fits, code: Code = "invalid_request"): Change =>
  withStage("action", ({ run }) => (exchange) => {
    const { body = {} } = exchange;
    return body["action"] === action && !fits(body) ? reject(code) : run(exchange);
  });

const needs: Readonly<Record<string, readonly [freedom: string, action: string, fits: Fits, code?: Code]>> = {
  "cancel-wants-revision": [
    "the fields of cancel_flow: it needs an expectedRevision",
    "cancel_flow",
    (body) => "expectedRevision" in body,
  ],
  "cancel-wants-revision-else-conflict": [
    "the answer to a cancel_flow without the expectedRevision that it needs: a conflict",
    "cancel_flow",
    (body) => "expectedRevision" in body,
    "revision_conflict",
  ],
  "cancel-without-revision": [
    "the fields of cancel_flow: it takes no expectedRevision",
    "cancel_flow",
    (body) => !("expectedRevision" in body),
  ],
  "wait-data-by-other-names": [
    "the names of state and wait data",
    "set_waiting",
    (body) => !("stateJson" in body || "waitJson" in body || "blockedSummary" in body),
  ],
  "state-data-objects": [
    "the form of state and wait data: objects",
    "set_waiting",
    (body) => [body["stateJson"], body["waitJson"]].every(isObjectOrAbsent),
  ],
  "task-running-only": [
    "run_task takes no status but running",
    "run_task",
    ({ status = "running" }) => status === "running",
  ],
  "task-names-child": ["run_task has to name the child's session", "run_task", namesChild],
  "task-names-child-by-profile": [
    "the same, judged with the reference profile, which leaves it open too",
    "run_task",
    namesChild,
  ],
  "task-wants-child-key-else-not-found": [
    "the answer to a run_task without the childSessionKey that it needs: no such session",
    "run_task",
    (body) => "childSessionKey" in body,
    "not_found",
  ],
  "acp-wants-child-key": [
    "run_task needs a childSessionKey for the runtime acp only",
    "run_task",
    (body) => body["runtime"] !== "acp" || namesChild(body),
  ],
  "task-child-key-unknown": [
    "run_task takes no childSessionKey that it does not know",
    "run_task",
    (body) => body["childSessionKey"] === undefined,
  ],
  "goals-of-one-line": [
    "which characters a goal may have: none that control a line",
    "create_flow",
    ({ goal }) => typeof goal !== "string" || !/\p{Cc}/u.test(goal),
  ],
};

/** An action takes its id under another name. */
const renamed = (action: string, from: string, to: string): Change =>
  withStage("action", ({ run }) => (exchange) => {
    const { body = {} } = exchange;
    if (body["action"] !== action) return run(exchange);
    if (from in body || !(to in body)) return reject("invalid_request");
    const { [to]: value, ...rest } = body;
    return run({ ...exchange, body: { ...rest, [from]: value as Json } });
  });

const names = [
  ["get-flow-by-id", "get_flow", "flowId", "id"],
  ["summary-by-id", "get_task_summary", "flowId", "id"],
  ["cancel-by-id", "cancel_flow", "flowId", "id"],
  ["resolve-by-ref", "resolve_flow", "token", "ref"],
] as const;

export const fields: readonly Different[] = [
  ...Object.entries(needs).map(([id, [freedom, action, fits, code]]): Different => ({
    id,
    freedom,
    ...(id.endsWith("-by-profile") && { profile: "reference" }),
    change: insists(action, fits, code),
  })),
  ...names.map(([id, action, from, to]) => ({
    id,
    freedom: `the field of ${action} that is called ${from}: ${to}`,
    change: renamed(action, from, to),
  })),
];
