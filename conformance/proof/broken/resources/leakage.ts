/** Sections 1 and 2: session keys, secrets and metadata leak. */
import { createHash } from "node:crypto";
import type { Answer } from "../../../../plugin/answer.ts";
import type { Code } from "../../../../plugin/codes.ts";
import type { Exchange, RouteContext } from "../../../../plugin/contract.ts";
import type { JsonObject } from "../../../../plugin/json.ts";
import {
  asText,
  routesIn,
  type ActionRun,
  withAction,
  withRefusals,
  withRequest,
  withStage,
  withViews,
} from "../../changes.ts";
import { actionNames } from "../../../interface/fields.ts";
import { allFailing, failing, failingEach, type Change, type Subject } from "../../subject.ts";
import { spoilt } from "./envelope.ts";

/** Adds fields to the result of an accepted action. */
const adds = (action: string, more: (context: RouteContext, fields: ActionRun["fields"]) => object): Change =>
  withAction(action, async ({ fields, context, right }) => {
    const answer = await right();
    return answer.ok ? { ...answer, result: { ...answer.result, ...more(context, fields) } } : answer;
  });

/** A new flow without a goal has that of its route: what the operator has written about it. */
const describedByRoute = withRequest((body, { cfg, route }) => {
  const { description } = routesIn(cfg)[route.id] ?? {};
  const isMeant = body["action"] === "create_flow" && body["goal"] === undefined && typeof description === "string";
  return isMeant ? { ...body, goal: description } : body;
});

type Meant = (refusal: Answer, exchange: Exchange, stage: string) => boolean;

/** Refusals with this code, or that are like this, get another text. */
const says = (which: Code | Meant, text: (exchange: Exchange) => string): Change =>
  withRefusals((refusal, exchange, stage) => {
    const isMeant = typeof which === "string" ? refusal.code === which : which(refusal, exchange, stage);
    return isMeant ? { ...refusal, error: text(exchange) } : refusal;
  });

const namesSession = (which: Code | Meant): Change =>
  says(which, ({ context }) => `Refused in ${context.route.sessionKey}.`);

const isKnown = (action: unknown): boolean => (actionNames as readonly unknown[]).includes(action);
const isUnknown = (body: JsonObject | undefined): boolean => body !== undefined && !isKnown(body["action"]);

export const leakage: readonly Subject[] = [
  ...failing({
    "LEAK-LOG: Each failed authentication is logged with its headers": withRefusals((refusal, { context, request }) => {
      context.logger.warn?.(JSON.stringify(request.headers));
      return refusal;
    }, "authentication"),
    "LEAK-LOG: Each request is logged with its session": withStage("action", (exchange, right) => {
      exchange.context.logger.info?.(`${exchange.context.route.sessionKey}: ${asText(exchange.body?.["action"])}`);
      return right();
    }),
    "NEVER-SECRET: A 401 says how the expected secret begins": says(
      "unauthorized",
      ({ context }) => `Expected ${asText(context.route.secret).slice(0, 20)}...`,
    ),
    "NEVER-METADATA: A child task that ran out of time is shown as the runtime keeps it": withViews((views) => ({
      task: (task) => (task.status === "timed_out" ? { ...task } : views.task(task)),
    })),
    "NEVER-METADATA: resolve_flow repeats the token that it resolved": adds("resolve_flow", (_context, { token }) => ({
      token,
    })),
    "NEVER-METADATA: get_flow adds what the configuration says of the route, without its session": adds(
      "get_flow",
      ({ cfg, route }) => ({
        note: JSON.stringify(cfg)
          .split(`"${route.id}":`)[1]
          ?.match(/"description":"[^"]*"/)?.[0],
      }),
    ),
    "NEVER-METADATA: get_flow shows a flow that is not managed as it is stored": withViews(({ flow: view }) => ({
      flow: (flow) => (flow.syncMode === "managed" ? view(flow) : { ...flow }),
    })),
    "NEVER-METADATA: The goal of a new flow for which none is sent is the description of its route": describedByRoute,
    "NEVER-METADATA: Views of flows hold the SHA-256 of the session's key, to sort by": withViews(({ flow: view }) => ({
      flow: (flow) => ({ ...view(flow), shard: createHash("sha256").update(flow.ownerKey).digest("hex") }),
    })),
    "NEVER-METADATA: The refusal of a run_task repeats the request": withRefusals((refusal, { body }) =>
      body?.["action"] === "run_task" ? { ...refusal, result: { request: body } } : refusal,
    ),
    "NEVER-SECRET-REPEATED: list_flows shows the route's configuration beside the flows": adds(
      "list_flows",
      ({ route }) => ({ route }),
    ),
    "NEVER-SECRET-REPEATED: A 401 repeats the Authorization that it was sent": says(
      "unauthorized",
      ({ request }) => `Not accepted: ${request.headers.authorization}`,
    ),
    "NEVER-SECRET-REPEATED: A refusal repeats the URL that it was sent": says(
      "unauthorized",
      ({ request }) => `Not allowed: ${request.url}`,
    ),
    "NEVER-SECRET-REPEATED: The refusal of an unknown action repeats it": says(
      (_refusal, { body }) => isUnknown(body),
      ({ body }) => `No action ${asText(body?.["action"])}.`,
    ),
    "NEVER-SECRET-REPEATED: The refusal of an unknown field repeats its name": says(
      ({ code }, { body }) => body?.["action"] === "create_flow" && code === "invalid_request",
      ({ body = {} }) => `Unexpected: ${Object.keys(body).join(", ")}`,
    ),
    "NEVER-SECRET-REPEATED: not_found repeats the flowId that it was sent": says(
      "not_found",
      ({ body }) => `No flow ${asText(body?.["flowId"])}.`,
    ),
  }),
  ...failingEach(spoilt, ([code]) => [`NEVER-METADATA: The message of ${code} names the session`, namesSession(code)]),
  ...allFailing("NEVER-METADATA", namesSession, {
    "The message of a body that is no JSON names the session": ({ code }, _exchange, stage) =>
      stage === "body" && code === "invalid_request",
    "The message of a create_flow with a notifyPolicy that cannot be stored names the session": ({ code }, { body }) =>
      code === "persist_failed" && body?.["notifyPolicy"] !== undefined && body["action"] === "create_flow",
    "The message of wrong fields names the session": ({ code }, { body }) =>
      code === "invalid_request" && isKnown(body?.["action"]),
    "The message of an unknown action names the session": (_refusal, { body }) => isUnknown(body),
  }),
];
