/** Ways to break the checks before the action, each where a condition holds. */
import { reject } from "../../../plugin/answer.ts";
import type { Exchange } from "../../../plugin/contract.ts";
import { runStage, withStage, type StageName } from "../changes.ts";
import type { Change } from "../subject.ts";
import { operators, type Condition, type Operator } from "./conditions.ts";

type PipelineOperator = Operator<Exchange>;
type Where = Condition<Exchange>;

/** Another way to run a stage, where the condition holds. */
const otherwise =
  (name: StageName, run: Parameters<typeof withStage>[1]) =>
  ({ holds }: Where): Change =>
    withStage(name, (exchange, right) => (holds(exchange) ? run(exchange, right) : right()));

const bodies = /empty body|GET|DELETE|HEAD|PUT|without a content|Basic/;
const refused = /GET|DELETE|HEAD|PUT|without a content/;

const off = (name: StageName, not: RegExp): PipelineOperator => ({
  what: `the ${name} check left out`,
  not,
  when: otherwise(name, () => undefined),
});

/** The later stages run although this one refused, and its refusal is the answer. */
const actsThough = (name: StageName): PipelineOperator => ({
  what: `the action done though ${name} refused`,
  not:
    name === "method"
      ? /without a content|Basic|empty body/
      : name === "content-type"
        ? /GET|DELETE|HEAD|PUT|Basic|parameter|empty body/
        : /GET|DELETE|HEAD|PUT|without a content|empty body/,
  when: otherwise(name, async (exchange, right) => {
    const outcome = await right();
    if (outcome === undefined) return outcome;
    if ((await runStage("body", exchange)) === undefined) await runStage("action", exchange);
    return outcome;
  }),
});

/** A refusal by this stage spends the key's budget. */
const spends = (name: "method" | "content-type"): PipelineOperator => ({
  what: `a request that ${name} refuses is counted`,
  not: name === "method" ? /without a content|Basic/ : /GET|DELETE|HEAD|PUT|Basic|parameter/,
  when: otherwise(name, async (exchange, right) => {
    const outcome = await right();
    const { rateLimiter, parts, route } = exchange.context;
    if (outcome !== undefined) rateLimiter.take(parts.clientKey(route, exchange.request));
    return outcome;
  }),
});

const withLimitsWhere = (over: { bodyBytes?: number; bodyMs?: number }) =>
  otherwise("body", async (exchange, right) => {
    const { context } = exchange;
    const parts = { ...context.parts, limits: { ...context.parts.limits, ...over } };
    const inner = { ...exchange, context: { ...context, parts } };
    const outcome = await right(inner);
    Object.assign(exchange, { body: inner.body });
    return outcome;
  });

export const pipelineOperators: readonly PipelineOperator[] = [
  off("method", /always|without a content|Basic|empty body/),
  off("content-type", /GET|DELETE|HEAD|PUT|Basic|parameter/),
  off("rate-limit", refused),
  off("in-flight", new RegExp(`${refused.source}|empty body|Basic|without its secret`)),
  off("authentication", refused),
  actsThough("method"),
  actsThough("content-type"),
  actsThough("authentication"),
  spends("method"),
  spends("content-type"),
  ...operators<Exchange>({
    "counted twice": [
      refused,
      otherwise("rate-limit", ({ context, request }, right) => {
        context.rateLimiter.take(context.parts.clientKey(context.route, request));
        return right();
      }),
    ],
    "the authentication before the rate limit": [
      refused,
      otherwise("rate-limit", async (exchange, right) => (await runStage("authentication", exchange)) ?? right()),
    ],
    "the body read before the authentication": [
      bodies,
      otherwise("authentication", async (exchange, right) => (await runStage("body", { ...exchange })) ?? right()),
    ],
    "a body of any size read": [bodies, withLimitsWhere({ bodyBytes: 100_000_000 })],
    "bodies above 64 KB refused": [bodies, withLimitsWhere({ bodyBytes: 65_536 })],
    "no time limit for a body": [bodies, withLimitsWhere({ bodyMs: 600_000 })],
    "5 s for a body": [bodies, withLimitsWhere({ bodyMs: 5000 })],
    "a slot that is never freed": [
      new RegExp(`always|default path|${refused.source}`),
      otherwise("in-flight", async (exchange, right) => {
        const { context, request } = exchange;
        const outcome = await right();
        if (outcome === undefined) context.inFlightLimiter.take(context.parts.clientKey(context.route, request));
        return outcome;
      }),
    ],
    "refused with 409 in place of 401": [
      refused,
      otherwise("authentication", async (_exchange, right) => (await right()) && reject("not_managed")),
    ],
    "invalid_request for a right request": [
      new RegExp(`always|default path|${refused.source}|query|HTTP/1.0|Expect|Basic|empty body`),
      otherwise("action", () => reject("invalid_request")),
    ],
    "a broken body taken for an empty list of flows": [
      /GET|DELETE|HEAD|PUT|Basic|without a content|empty body/,
      otherwise("body", async (exchange, right) => {
        const outcome = await right();
        if (typeof outcome !== "object" || outcome.code !== "invalid_request") return outcome;
        exchange.body = { action: "list_flows" };
        return undefined;
      }),
    ],
  }),
];
