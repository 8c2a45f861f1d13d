/** Sections 1 and 2: session keys, secrets and metadata leak. */
import { createHash } from "node:crypto";
import type { Answer } from "../../../../plugin/answer.ts";
import type { Code } from "../../../../plugin/codes.ts";
import type { Exchange, RouteContext } from "../../../../plugin/contract.ts";
import { asText, withAction, withRefusals, withStage, withViews } from "../../changes.ts";
import { all as actions } from "../../products/flow-operator.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

const metadata = "NEVER-METADATA";
const repeated = "NEVER-SECRET-REPEATED";

/** Adds fields to the result of an accepted action. */
const adds = (action: string, more: (context: RouteContext, fields: Record<string, unknown>) => object) =>
  withAction(action, async ({ fields, context, right }) => {
    const answer = await right();
    return answer.ok ? { ...answer, result: { ...answer.result, ...more(context, fields) } } : answer;
  });

/** Codes whose refusal holds the session's key in its message, and the case that brings it about where few do. */
const inMessages: Readonly<Partial<Record<Code, string | readonly []>>> = {
  unauthorized: [],
  not_found: [],
  not_managed: [],
  revision_conflict: [],
  task_not_created: [],
  method_not_allowed: [],
  unsupported_media_type: [],
  payload_too_large: [],
  request_timeout: "GAP-REFUSED-TIMEOUT",
  too_many_in_flight: "GAP-REFUSED-IN-FLIGHT",
  rate_limited: "GAP-REFUSED-RATE",
  persist_failed: "GAP-NOT-STORED-CREATE-FLOW",
};

type Said = readonly [code: string, where?: (exchange: Exchange, stage: string) => boolean];

/** The session's key stands in the message of some refusals. */
const inMessage = ([code, where = () => true]: Said): Change =>
  withRefusals((refusal, exchange, stage) =>
    refusal.code === code && where(exchange, stage)
      ? { ...refusal, error: `Refused in ${exchange.context.route.sessionKey}.` }
      : refusal,
  );

/** Another text of some refusals. */
const says = (text: (exchange: Exchange, refusal: Answer) => string | undefined): Change =>
  withRefusals((refusal, exchange) => {
    const error = text(exchange, refusal);
    return error === undefined ? refusal : { ...refusal, error };
  });

const isKnown = (action: unknown): boolean => (actions as readonly unknown[]).includes(action);

export const leakage: readonly Subject[] = [
  ...actions.flatMap((action) =>
    failing(metadata, {
      [`The result of ${action} holds the flow's owner`]: adds(action, ({ route }) => ({ ownerKey: route.sessionKey })),
    }),
  ),
  ...Object.entries(inMessages).flatMap(([code, beside]) =>
    failing({ kills: metadata, beside }, inMessage, { [`The message of ${code} names the session`]: [code] }),
  ),
  ...failing(metadata, {
    "The refusal of a resume_flow that does not apply holds the record as the runtime gave it": withAction(
      "resume_flow",
      async ({ fields, context, right }) => {
        const answer = await right();
        if (answer.code !== "mutation_rejected") return answer;
        const current = await context.flows.get(String(fields["flowId"]));
        return { ...answer, result: { ...answer.result, ...(current && { current: { ...current } }) } };
      },
    ),
    "A child task that ran out of time is shown as the runtime keeps it": withViews((views) => ({
      task: (task) => (task.status === "timed_out" ? { ...task } : views.task(task)),
    })),
    "resolve_flow repeats the token that it resolved": adds("resolve_flow", (_context, { token }) => ({ token })),
    "get_flow shows a flow that is not managed as it is stored": withViews(({ flow: view }) => ({
      flow: (flow) => (flow.syncMode === "managed" ? view(flow) : { ...flow }),
    })),
    "Views of flows hold the SHA-256 of the session's key, to sort by": withViews(({ flow: view }) => ({
      flow: (flow) => ({ ...view(flow), shard: createHash("sha256").update(flow.ownerKey).digest("hex") }),
    })),
    "The refusal of a run_task repeats the request": withRefusals((refusal, { body }) =>
      body?.["action"] === "run_task" ? { ...refusal, result: { request: body } } : refusal,
    ),
  }),
  ...failing(repeated, {
    "list_flows shows the route's configuration beside the flows": adds("list_flows", ({ route }) => ({ route })),
  }),
  ...failing("LEAK-LOG", {
    "Each failed authentication is logged with its headers": withRefusals((refusal, { context, request }) => {
      context.logger.warn?.(JSON.stringify(request.headers));
      return refusal;
    }, "authentication"),
    "Each request is logged with its session": withStage("action", (exchange, right) => {
      exchange.context.logger.info?.(`${exchange.context.route.sessionKey}: ${asText(exchange.body?.["action"])}`);
      return right();
    }),
  }),

  ...failing(metadata, inMessage, {
    "The message of a body that is no JSON names the session": [
      "invalid_request",
      (_exchange, stage) => stage === "body",
    ],
    "The message of wrong fields names the session": ["invalid_request", ({ body }) => isKnown(body?.["action"])],
    "The message of an unknown action names the session": [
      "invalid_request",
      ({ body }) => body !== undefined && !isKnown(body["action"]),
    ],
  }),
  ...failing(repeated, says, {
    "A 401 repeats the Authorization that it was sent": ({ request }, { code }) =>
      code === "unauthorized" ? `Not accepted: ${request.headers.authorization}` : undefined,
    "A refusal repeats the URL that it was sent": ({ request }, { code }) =>
      code === "unauthorized" ? `Not allowed: ${request.url}` : undefined,
    "The refusal of an unknown action repeats it": ({ body }) =>
      body !== undefined && !isKnown(body["action"]) ? `No action ${asText(body["action"])}.` : undefined,
    "The refusal of an unknown field repeats its name": ({ body }, { code }) =>
      body?.["action"] === "create_flow" && code === "invalid_request"
        ? `Unexpected: ${Object.keys(body).join(", ")}`
        : undefined,
    "not_found repeats the flowId that it was sent": ({ body }, { code }) =>
      code === "not_found" ? `No flow ${asText(body?.["flowId"])}.` : undefined,
  }),
  ...failing("NEVER-SECRET", says, {
    "A 401 says how the expected secret begins": ({ context }, { code }) =>
      code === "unauthorized" ? `Expected ${asText(context.route.secret).slice(0, 20)}...` : undefined,
  }),
];
