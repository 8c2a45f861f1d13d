/** Sections 1 and 2: session keys, secrets and metadata leak. */
import { createHash } from "node:crypto";
import type { Answer } from "../../../../plugin/answer.ts";
import type { Code } from "../../../../plugin/codes.ts";
import type { Exchange, RouteContext } from "../../../../plugin/contract.ts";
import { asText, withAction, withRefusals, withStage, withViews } from "../../changes.ts";
import { all as actions } from "../../products/flow-operator.ts";
import { subjectsOf, type Subject } from "../../subject.ts";

const metadata = ["NEVER-METADATA"];
const repeated = ["NEVER-SECRET-REPEATED"];

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
  kills: metadata,
  change: adds(action, ({ route }) => ({ ownerKey: route.sessionKey })),
}));

/** Codes whose refusal holds the session's key in its message, and the case that brings it about where few do. */
const inMessages: Readonly<Partial<Record<Code, string>>> = {
  unauthorized: "",
  not_found: "",
  not_managed: "",
  revision_conflict: "",
  task_not_created: "",
  method_not_allowed: "",
  unsupported_media_type: "",
  payload_too_large: "",
  request_timeout: "GAP-REFUSED-TIMEOUT",
  too_many_in_flight: "GAP-REFUSED-IN-FLIGHT",
  rate_limited: "GAP-REFUSED-RATE",
  persist_failed: "GAP-NOT-STORED-CREATE-FLOW",
};

const inMessage = (code: string, where = (_exchange: Exchange, _stage: string) => true): Omit<Subject, "id"> => ({
  bug: `The message of ${code} names the session.`,
  kills: metadata,
  change: withRefusals((refusal, exchange, stage) =>
    refusal.code === code && where(exchange, stage)
      ? { ...refusal, error: `Refused in ${exchange.context.route.sessionKey}.` }
      : refusal,
  ),
});

const perCode: readonly Subject[] = Object.entries(inMessages).map(([code, beside]) => ({
  id: `leak-on-${code.replaceAll("_", "-")}`,
  ...inMessage(code),
  ...(beside !== "" && { beside: [beside] }),
}));

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
  ...perCode,
  ...subjectsOf<Subject>({
    "leak-on-bad-json": inMessage("invalid_request", (_exchange, stage) => stage === "body"),
    "leak-on-invalid": inMessage("invalid_request", ({ body }) => isKnown(body?.["action"])),
    "leak-on-unknown-action": inMessage(
      "invalid_request",
      ({ body }) => body !== undefined && !isKnown(body["action"]),
    ),
    "leak-on-mutation-rejected": {
      bug: "The refusal of a resume_flow that does not apply holds the record as the runtime gave it.",
      kills: metadata,
      change: withAction("resume_flow", ({ run }) => ({
        run: async (fields, context) => {
          const answer = await run(fields, context);
          if (answer.code !== "mutation_rejected") return answer;
          const current = await context.flows.get(String(fields["flowId"]));
          return { ...answer, result: { ...answer.result, ...(current && { current: { ...current } }) } };
        },
      })),
    },
    "leak-timed-out-child": {
      bug: "A child task that ran out of time is shown as the runtime keeps it.",
      kills: metadata,
      change: withViews((views) => ({
        task: (task) => (task.status === "timed_out" ? { ...task } : views.task(task)),
      })),
    },
    "leak-authorization-repeated": says(
      "A 401 repeats the Authorization that it was sent.",
      repeated,
      ({ request }, { code }) =>
        code === "unauthorized" ? `Not accepted: ${request.headers.authorization}` : undefined,
    ),
    "leak-url-repeated": says("A refusal repeats the URL that it was sent.", repeated, ({ request }, { code }) =>
      code === "unauthorized" ? `Not allowed: ${request.url}` : undefined,
    ),
    "leak-action-repeated": says("The refusal of an unknown action repeats it.", repeated, ({ body }) =>
      body !== undefined && !isKnown(body["action"]) ? `No action ${asText(body["action"])}.` : undefined,
    ),
    "leak-field-repeated": says("The refusal of an unknown field repeats its name.", repeated, ({ body }, { code }) =>
      body?.["action"] === "create_flow" && code === "invalid_request"
        ? `Unexpected: ${Object.keys(body).join(", ")}`
        : undefined,
    ),
    "leak-flow-id-repeated": says("not_found repeats the flowId that it was sent.", repeated, ({ body }, { code }) =>
      code === "not_found" ? `No flow ${asText(body?.["flowId"])}.` : undefined,
    ),
    "leak-secret-expected": says(
      "A 401 says how the expected secret begins.",
      ["NEVER-SECRET"],
      ({ context }, { code }) =>
        code === "unauthorized" ? `Expected ${asText(context.route.secret).slice(0, 20)}...` : undefined,
    ),
    "leak-route-shown": {
      bug: "list_flows shows the route's configuration beside the flows.",
      kills: repeated,
      change: adds("list_flows", ({ route }) => ({ route })),
    },
    "leak-token-repeated": {
      bug: "resolve_flow repeats the token that it resolved.",
      kills: metadata,
      change: adds("resolve_flow", (_context, { token }) => ({ token })),
    },
    "leak-unmanaged-record": {
      bug: "get_flow shows a flow that is not managed as it is stored.",
      kills: metadata,
      change: withViews(({ flow: view }) => ({
        flow: (flow) => (flow.syncMode === "managed" ? view(flow) : { ...flow }),
      })),
    },
    "leak-digest": {
      bug: "Views of flows hold the SHA-256 of the session's key, to sort by.",
      kills: metadata,
      change: withViews(({ flow: view }) => ({
        flow: (flow) => ({ ...view(flow), shard: createHash("sha256").update(flow.ownerKey).digest("hex") }),
      })),
    },
    "leak-child-key-repeated": {
      bug: "The refusal of a run_task repeats the request.",
      kills: metadata,
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
  }),
];
