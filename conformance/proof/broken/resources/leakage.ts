/** Sections 1 and 2: session keys, secrets and metadata leak. */
import { createHash } from "node:crypto";
import { isActive } from "../../../../fakes/flow-store.ts";
import type { Answer } from "../../../../plugin/answer.ts";
import type { Exchange, RouteContext } from "../../../../plugin/contract.ts";
import { asText, withAction, withRefusals, withStage, withViews } from "../../changes.ts";
import { subjectsOf, type Subject } from "../../subject.ts";

const actions = [
  "create_flow",
  "get_flow",
  "list_flows",
  "find_latest_flow",
  "resolve_flow",
  "get_task_summary",
  "set_waiting",
  "resume_flow",
  "finish_flow",
  "fail_flow",
  "request_cancel",
  "cancel_flow",
  "run_task",
] as const;

const caseOf = (action: string): string => `LEAK-${action.toUpperCase().replaceAll("_", "-")}`;

/** Adds fields to the result of an accepted action. */
const adds = (action: string, more: (context: RouteContext, fields: Record<string, unknown>) => object) =>
  withAction(action, ({ run }) => ({
    run: async (fields, context) => {
      const answer = await run(fields, context);
      return answer.ok ? { ...answer, result: { ...answer.result, ...more(context, fields) } } : answer;
    },
  }));

const perAction: readonly Subject[] = actions.map((action) => ({
  id: `leak-${action.replaceAll("_", "-")}`,
  bug: `The result of ${action} holds the flow's owner.`,
  kills: [caseOf(action)],
  change: adds(action, ({ route }) => ({ ownerKey: route.sessionKey })),
}));

/** Refusals with this code hold the session's key in their message. */
const inMessage = (code: string, kills: readonly string[], where = (_exchange: Exchange, _stage: string) => true) => ({
  bug: `The message of ${code} names the session.`,
  kills,
  change: withRefusals((refusal, exchange, stage) =>
    refusal.code === code && where(exchange, stage)
      ? { ...refusal, error: `Refused in ${exchange.context.route.sessionKey}.` }
      : refusal,
  ),
});

/** Adds text to refusals. */
const says = (
  bug: string,
  kills: readonly string[],
  more: (exchange: Exchange, refusal: Answer) => string | undefined,
) => ({
  bug,
  kills,
  change: withRefusals((refusal, exchange) => {
    const error = more(exchange, refusal);
    return error === undefined ? refusal : { ...refusal, error };
  }),
});

const isKnown = (action: unknown): boolean => (actions as readonly unknown[]).includes(action);

export const leakage: readonly Subject[] = [
  ...perAction,
  ...subjectsOf<Subject>({
    "leak-on-unauthorized": inMessage("unauthorized", ["LEAK-ON-UNAUTHORIZED"]),
    "leak-on-bad-json": inMessage("invalid_request", ["LEAK-ON-BAD-JSON"], (_exchange, stage) => stage === "body"),
    "leak-on-invalid": inMessage("invalid_request", ["LEAK-ON-INVALID"], ({ body }) => isKnown(body?.["action"])),
    "leak-on-unknown-action": inMessage(
      "invalid_request",
      ["LEAK-ON-UNKNOWN-ACTION"],
      ({ body }) => body !== undefined && !isKnown(body["action"]),
    ),
    "leak-on-not-found": inMessage("not_found", ["LEAK-ON-NOT-FOUND", "LEAK-ON-FOREIGN"]),
    "leak-on-conflict": inMessage("revision_conflict", ["LEAK-ON-CONFLICT"]),
    "leak-on-method": inMessage("method_not_allowed", ["LEAK-ON-METHOD"]),
    "leak-on-content-type": inMessage("unsupported_media_type", ["LEAK-ON-CONTENT-TYPE"]),
    "leak-on-too-large": inMessage("payload_too_large", ["LEAK-ON-TOO-LARGE"]),
    "leak-on-timeout": inMessage("request_timeout", ["LEAK-ON-TIMEOUT"]),
    "leak-on-in-flight": inMessage("too_many_in_flight", ["LEAK-ON-IN-FLIGHT"]),
    "leak-on-rate": inMessage("rate_limited", ["LEAK-ON-RATE"]),
    "leak-on-not-stored": {
      bug: "What cannot be stored is told with the record, its owner with it.",
      kills: ["LEAK-ON-NOT-STORED"],
      change: withRefusals((refusal, { context }) =>
        refusal.code === "persist_failed"
          ? { ...refusal, error: `could not write the record of ${context.route.sessionKey}` }
          : refusal,
      ),
    },
    "leak-on-persist-failed": inMessage("persist_failed", ["GAP-NOT-STORED-CREATE-FLOW"]),
    "leak-on-mutation-rejected": {
      bug: "The refusal of a resume_flow that does not apply holds the record as the runtime gave it.",
      kills: ["LEAK-ON-MUTATION-REJECTED"],
      change: withAction("resume_flow", ({ run }) => ({
        run: async (fields, context) => {
          const answer = await run(fields, context);
          if (answer.code !== "mutation_rejected") return answer;
          const current = await context.flows.get(String(fields["flowId"]));
          return { ...answer, result: { ...answer.result, ...(current && { current: { ...current } }) } };
        },
      })),
    },
    "leak-ended-child": {
      bug: "A child task that has ended is shown as the runtime keeps it.",
      kills: ["LEAK-CHILD-ENDED"],
      change: withViews((views) => ({
        task: (task) => (isActive(task) ? views.task(task) : { ...task }),
      })),
    },
    "leak-timed-out-child": {
      bug: "A child task that ran out of time is shown as the runtime keeps it.",
      kills: ["LEAK-CHILD-ENDED"],
      change: withViews((views) => ({
        task: (task) => (task.status === "timed_out" ? { ...task } : views.task(task)),
      })),
    },
    "leak-on-not-managed": inMessage("not_managed", ["LEAK-ON-NOT-MANAGED"]),
    "leak-authorization-repeated": says(
      "A 401 repeats the Authorization that it was sent.",
      ["LEAK-SECRET-WRONG-SCHEME"],
      ({ request }, { code }) =>
        code === "unauthorized" ? `Not accepted: ${request.headers.authorization}` : undefined,
    ),
    "leak-url-repeated": says(
      "A refusal repeats the URL that it was sent.",
      ["LEAK-SECRET-IN-URL"],
      ({ request }, { code }) => (code === "unauthorized" ? `Not allowed: ${request.url}` : undefined),
    ),
    "leak-action-repeated": says(
      "The refusal of an unknown action repeats it.",
      ["LEAK-SECRET-AS-ACTION"],
      ({ body }) =>
        body !== undefined && !isKnown(body["action"]) ? `No action ${asText(body["action"])}.` : undefined,
    ),
    "leak-field-repeated": says(
      "The refusal of an unknown field repeats its name.",
      ["LEAK-SECRET-AS-FIELD"],
      ({ body }, { code }) =>
        body?.["action"] === "create_flow" && code === "invalid_request"
          ? `Unexpected: ${Object.keys(body).join(", ")}`
          : undefined,
    ),
    "leak-flow-id-repeated": says(
      "not_found repeats the flowId that it was sent.",
      ["LEAK-SECRET-AS-FLOW-ID"],
      ({ body }, { code }) => (code === "not_found" ? `No flow ${asText(body?.["flowId"])}.` : undefined),
    ),
    "leak-secret-expected": says(
      "A 401 says how the expected secret begins.",
      ["LEAK-SECRET-ON-401"],
      ({ context }, { code }) =>
        code === "unauthorized" ? `Expected ${asText(context.route.secret).slice(0, 20)}...` : undefined,
    ),
    "leak-route-shown": {
      bug: "list_flows shows the route's configuration beside the flows.",
      kills: ["LEAK-SECRET-ON-SUCCESS"],
      change: adds("list_flows", ({ route }) => ({ route })),
    },
    "leak-token-repeated": {
      bug: "resolve_flow repeats the token that it resolved.",
      kills: ["LEAK-RESOLVE-KEY"],
      change: adds("resolve_flow", (_context, { token }) => ({ token })),
    },
    "leak-record-shown": {
      bug: "Views of flows are the runtime's records, owner and requester included.",
      kills: actions.filter((action) => action !== "get_task_summary").map(caseOf),
      change: { parts: (parts) => ({ ...parts, views: { ...parts.views, flow: (flow) => ({ ...flow }) } }) },
    },
    "leak-unmanaged-record": {
      bug: "get_flow shows a flow that is not managed as it is stored.",
      kills: ["LEAK-ON-NOT-MANAGED"],
      change: withViews(({ flow: view }) => ({
        flow: (flow) => (flow.syncMode === "managed" ? view(flow) : { ...flow }),
      })),
    },
    "leak-digest": {
      bug: "Views of flows hold the SHA-256 of the session's key, to sort by.",
      kills: ["LEAK-GET-FLOW", "LEAK-LIST-FLOWS"],
      change: withViews(({ flow: view }) => ({
        flow: (flow) => ({ ...view(flow), shard: createHash("sha256").update(flow.ownerKey).digest("hex") }),
      })),
    },
    "leak-task-record-shown": {
      bug: "Views of tasks are the runtime's records.",
      kills: ["LEAK-RUN-TASK", "LEAK-CHILD-KEY", "LEAK-PENDING-CANCEL"],
      change: { parts: (parts) => ({ ...parts, views: { ...parts.views, task: (task) => ({ ...task }) } }) },
    },
    "leak-child-key-repeated": {
      bug: "The refusal of a run_task repeats the request.",
      kills: ["LEAK-CHILD-KEY-REFUSED"],
      change: withRefusals((refusal, { body }) =>
        body?.["action"] === "run_task" ? { ...refusal, result: { request: body } } : refusal,
      ),
    },
    "leak-log-headers": {
      bug: "Each failed authentication is logged with its headers.",
      kills: ["LEAK-LOG"],
      change: withStage("authentication", ({ run }) => async (exchange) => {
        const outcome = await run(exchange);
        if (outcome !== undefined) exchange.context.logger.warn?.(JSON.stringify(exchange.request.headers));
        return outcome;
      }),
    },
    "leak-log-session": {
      bug: "Each request is logged with its session.",
      kills: ["LEAK-LOG"],
      change: withStage("action", ({ run }) => (exchange) => {
        exchange.context.logger.info?.(`${exchange.context.route.sessionKey}: ${asText(exchange.body?.["action"])}`);
        return run(exchange);
      }),
    },
    "leak-foreign-child": {
      bug: "The refusal of another session's childSessionKey names the bound session.",
      kills: ["LEAK-ON-FOREIGN-CHILD"],
      change: withAction("run_task", ({ run }) => ({
        run: async (fields, context) => {
          const answer = await run(fields, context);
          return answer.code === "task_not_created"
            ? { ...answer, error: `not a child of ${context.flows.sessionKey}` }
            : answer;
        },
      })),
    },
  }),
];
