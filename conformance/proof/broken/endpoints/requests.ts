/** Sections 4, 5 and 8: an operator on one of the checks, when a condition on the request or on its route holds. */
import type { IncomingMessage } from "node:http";
import { reject } from "../../../../plugin/answer.ts";
import type { Exchange } from "../../../../plugin/contract.ts";
import type { Limits } from "../../../../plugin/limits.ts";
import { withStage, type StageName } from "../../changes.ts";
import type { Change, Subject } from "../../subject.ts";

type Condition = (exchange: Exchange) => boolean;
type Operator = (when: Condition) => Change;

const ofRequest =
  (is: (request: IncomingMessage) => boolean): Condition =>
  ({ request }) =>
    is(request);
const ofRoute =
  (is: (route: Exchange["context"]["route"]) => boolean): Condition =>
  ({ context }) =>
    is(context.route);

const conditions = {
  "at a configured path": ofRoute(({ id, path }) => path !== `/plugins/webhooks/${id}`),
  "at a path with capitals": ofRoute(({ path }) => /[A-Z]/.test(path)),
  "with a controller of its own": ofRoute(({ id, controllerId }) => controllerId !== `webhooks/${id}`),
  "without its secret": ofRoute(({ secret }) => typeof secret !== "string"),
  "in chunks": ofRequest(({ headers }) => headers["transfer-encoding"] !== undefined),
  "as HTTP/1.0": ofRequest(({ httpVersion }) => httpVersion === "1.0"),
  "with Expect": ofRequest(({ headers }) => headers.expect !== undefined),
  "in absolute form": ofRequest(({ url = "" }) => !url.startsWith("/")),
  "with a query": ofRequest(({ url = "" }) => url.includes("?")),
  "without a body": ofRequest(
    ({ headers }) => headers["transfer-encoding"] === undefined && headers["content-length"] === undefined,
  ),
  "with the product header": ofRequest(({ headers }) => headers["x-service-webhook-secret"] !== undefined),
  "with Basic credentials": ofRequest(({ headers }) => headers.authorization?.startsWith("Basic ") === true),
  "without a content type": ofRequest(({ headers }) => headers["content-type"] === undefined),
  "of a form": ofRequest(({ headers }) => headers["content-type"]?.includes("form") === true),
  "of a list of types": ofRequest(({ headers }) => headers["content-type"]?.startsWith("application/json,") === true),
  "with DELETE": ofRequest(({ method }) => method === "DELETE"),
  "with OPTIONS": ofRequest(({ method }) => method === "OPTIONS"),
  "with PUT": ofRequest(({ method }) => method === "PUT"),
  "with a large body": ofRequest(({ headers }) => Number(headers["content-length"] ?? 0) > 262_144),
} as const satisfies Record<string, Condition>;

type Name = keyof typeof conditions;

/** Leaves the check out. */
const off =
  (name: StageName): Operator =>
  (when) =>
    withStage(
      name,
      ({ run }) =>
        (exchange) =>
          when(exchange) ? undefined : run(exchange),
    );

/** The budget pays for what the check refuses. */
const spends =
  (name: StageName): Operator =>
  (when) =>
    withStage(name, ({ run }) => async (exchange) => {
      const outcome = await run(exchange);
      const { context, request } = exchange;
      if (outcome !== undefined && when(exchange))
        context.rateLimiter.take(context.parts.clientKey(context.route, request));
      return outcome;
    });

/** Nothing is taken off the budget for a wrong secret. */
const uncountedSecret: Operator = (when) =>
  withStage("rate-limit", ({ run }) => (exchange) => {
    const { context, request } = exchange;
    const isRight = context.secretMatches(context.parts.presentedSecret(request.headers, context.product));
    return !isRight && when(exchange) ? undefined : run(exchange);
  });

/** The check refuses, and the action is carried out all the same. */
const acts =
  (name: StageName): Operator =>
  (when) => ({
    parts: (parts) => ({
      ...parts,
      stages: parts.stages.map((stage) => ({
        name: stage.name,
        run: async (exchange) => {
          const outcome = await stage.run(exchange);
          if (stage.name !== name || outcome === undefined || !when(exchange)) return outcome;
          for (const later of parts.stages) if (["body", "action"].includes(later.name)) await later.run(exchange);
          return outcome;
        },
      })),
    }),
  });

/** Bodies are read with other limits. */
const reads =
  (over: Partial<Limits>): Operator =>
  (when) =>
    withStage("body", ({ run }) => async (exchange) => {
      if (!when(exchange)) return run(exchange);
      const { parts } = exchange.context;
      const limits = { ...parts.limits, ...over };
      const inner: Exchange = { ...exchange, context: { ...exchange.context, parts: { ...parts, limits } } };
      const outcome = await run(inner);
      if (inner.body !== undefined) exchange.body = inner.body;
      return outcome;
    });

/** The refusal of a later check comes first. */
const answersFirst =
  (code: "unauthorized" | "invalid_request" | "payload_too_large", before: StageName): Operator =>
  (when) =>
    withStage(
      before,
      ({ run }) =>
        (exchange) =>
          when(exchange) ? reject(code) : run(exchange),
    );

/** What an operator makes wrong, when, and the cases that see it. */
const rows: readonly (readonly [id: string, bug: string, operator: Operator, when: Name, kills: readonly string[]])[] =
  [
    ["off-rate-limit", "No rate limit holds", off("rate-limit"), "at a configured path", ["RATE-EVERY-REQUEST"]],
    ["off-rate-limit", "No rate limit holds", off("rate-limit"), "without its secret", ["RATE-EVERY-REQUEST"]],
    ["off-rate-limit", "No rate limit holds", off("rate-limit"), "with Expect", ["RATE-EVERY-REQUEST"]],
    [
      "off-in-flight",
      "No in-flight limit holds",
      off("in-flight"),
      "at a configured path",
      ["IN-FLIGHT-EVERY-REQUEST"],
    ],
    ["off-in-flight", "No in-flight limit holds", off("in-flight"), "in absolute form", ["IN-FLIGHT-EVERY-REQUEST"]],
    ["off-size", "A body of any size is read", reads({ bodyBytes: 1e9 }), "at a configured path", ["REQUEST-BODY"]],
    [
      "off-time",
      "A body may take an hour",
      reads({ bodyMs: 3.6e6 }),
      "at a configured path",
      ["BODY-TIME-EVERY-REQUEST"],
    ],
    ["off-method", "Any method is let in", off("method"), "at a configured path", ["REQUEST-METHOD"]],
    ["off-method", "Any method is let in", off("method"), "in chunks", ["REQUEST-METHOD"]],
    ["off-method", "Any method is let in", off("method"), "with the product header", ["REQUEST-METHOD"]],
    [
      "off-content-type",
      "Any content type is let in",
      off("content-type"),
      "at a configured path",
      ["REQUEST-CONTENT-TYPE"],
    ],
    ["off-content-type", "Any content type is let in", off("content-type"), "as HTTP/1.0", ["REQUEST-CONTENT-TYPE"]],
    ["off-content-type", "The first type counts", off("content-type"), "of a list of types", ["REQUEST-CONTENT-TYPE"]],
    ["off-secret", "Any secret is let in", off("authentication"), "in chunks", ["REQUEST-SECRET"]],
    ["off-secret", "Any secret is let in", off("authentication"), "as HTTP/1.0", ["REQUEST-SECRET"]],
    ["off-secret", "Any secret is let in", off("authentication"), "with Expect", ["REQUEST-SECRET"]],
    ["off-secret", "Any secret is let in", off("authentication"), "in absolute form", ["REQUEST-SECRET"]],
    ["off-secret", "Any secret is let in", off("authentication"), "with a query", ["REQUEST-SECRET"]],
    ["off-secret", "Any secret is let in", off("authentication"), "with a controller of its own", ["REQUEST-SECRET"]],
    ["off-secret", "The secret is not asked for", off("authentication"), "without a body", ["REQUEST-SECRET"]],
    ["spends-method", "A refused method spends the budget", spends("method"), "with DELETE", ["RATE-EVERY-REQUEST"]],
    ["spends-method", "A refused method spends the budget", spends("method"), "with OPTIONS", ["RATE-EVERY-REQUEST"]],
    [
      "spends-type",
      "A refused type spends the budget",
      spends("content-type"),
      "without a content type",
      ["RATE-EVERY-REQUEST"],
    ],
    [
      "uncounted-secret",
      "A wrong secret is not counted",
      uncountedSecret,
      "with Basic credentials",
      ["RATE-EVERY-REQUEST"],
    ],
    ["uncounted-secret", "A wrong secret is not counted", uncountedSecret, "in chunks", ["RATE-EVERY-REQUEST"]],
    ["acts-method", "405 is answered and the action done all the same", acts("method"), "with PUT", ["REQUEST-METHOD"]],
    [
      "acts-type",
      "415 is answered and the action done all the same",
      acts("content-type"),
      "of a form",
      ["REQUEST-CONTENT-TYPE"],
    ],
    [
      "first-size",
      "413 comes before the secret is asked for",
      answersFirst("payload_too_large", "authentication"),
      "with a large body",
      ["REQUEST-SECRET"],
    ],
    [
      "first-empty",
      "400 comes before the secret is asked for",
      answersFirst("invalid_request", "authentication"),
      "without a body",
      ["REQUEST-SECRET"],
    ],
  ];
export const requests: readonly Subject[] = rows.map(([id, bug, operator, when, kills]) => ({
  id: `${id}-${when.replaceAll(/[^a-z0-9]+/gi, "-").toLowerCase()}`,
  bug: `${bug} ${when}.`,
  kills,
  change: operator(conditions[when]),
}));
