/** Freedoms in the fields of a request: what an action needs, does not take, or calls by another name. */
import { reject } from "../../../plugin/answer.ts";
import type { Code } from "../../../plugin/codes.ts";
import type { JsonObject } from "../../../plugin/json.ts";
import type { Json } from "../../../plugin/ports.ts";
import { withStage } from "../changes.ts";
import { lawful, type Change, type Different } from "../subject.ts";

type Fits = (body: JsonObject) => boolean;

const isObjectOrAbsent = (value: Json | undefined): boolean =>
  value === undefined || (typeof value === "object" && value !== null && !Array.isArray(value));
const namesChild: Fits = (body) => typeof body["childSessionKey"] === "string";

/** An action is refused unless its fields are like this. */
const insists = (action: string, fits: Fits, code: Code = "invalid_request"): Change =>
  withStage("action", (exchange, right) => {
    const { body = {} } = exchange;
    return body["action"] === action && !fits(body) ? reject(code) : right();
  });

/** An action takes its id under another name. */
const renamed = (action: string, from: string, to: string): Change =>
  withStage("action", (exchange, right) => {
    const { body = {} } = exchange;
    if (body["action"] !== action) return right();
    if (from in body || !(to in body)) return reject("invalid_request");
    const { [to]: value, ...rest } = body;
    return right({ ...exchange, body: { ...rest, [from]: value as Json } });
  });

const names = [
  ["get_flow", "flowId", "id"],
  ["get_task_summary", "flowId", "id"],
  ["cancel_flow", "flowId", "id"],
  ["resolve_flow", "token", "ref"],
] as const;

export const fields: readonly Different[] = [
  ...lawful({
    "the fields of cancel_flow: it needs an expectedRevision": insists(
      "cancel_flow",
      (body) => "expectedRevision" in body,
    ),
    "the answer to a cancel_flow without the expectedRevision that it needs: a conflict": insists(
      "cancel_flow",
      (body) => "expectedRevision" in body,
      "revision_conflict",
    ),
    "the fields of cancel_flow: an expectedRevision is refused as one that it does not have": insists(
      "cancel_flow",
      (body) => !("expectedRevision" in body),
    ),
    "the names of state and wait data": insists(
      "set_waiting",
      (body) => !("stateJson" in body || "waitJson" in body || "blockedSummary" in body),
    ),
    "the form of state and wait data: objects": insists("set_waiting", (body) =>
      [body["stateJson"], body["waitJson"]].every(isObjectOrAbsent),
    ),
    "run_task takes no status but running": insists("run_task", ({ status = "running" }) => status === "running"),
    "run_task has to name the child's session": insists("run_task", namesChild),
    "the answer to a run_task without the childSessionKey that it needs: no such session": insists(
      "run_task",
      (body) => "childSessionKey" in body,
      "not_found",
    ),
    "run_task needs a childSessionKey for the runtime acp only": insists(
      "run_task",
      (body) => body["runtime"] !== "acp" || namesChild(body),
    ),
    "run_task takes no childSessionKey that it does not know": insists(
      "run_task",
      (body) => body["childSessionKey"] === undefined,
    ),
    "which characters a goal may have: none that control a line": insists(
      "create_flow",
      ({ goal }) => typeof goal !== "string" || !/\p{Cc}/u.test(goal),
    ),
  }),
  ...lawful({
    "by the reference profile, too, run_task has to name the child's session": insists("run_task", namesChild),
  }).map((subject) => ({ ...subject, profile: "reference" as const })),
  ...names.flatMap(([action, from, to]) =>
    lawful({ [`the field of ${action} that is called ${from}: ${to}`]: renamed(action, from, to) }),
  ),
];
