/** Freedoms in statuses, codes and headers, and in limits, bodies, secrets and configuration. */
import { setTimeout as sleep } from "node:timers/promises";
import { reject } from "../../../plugin/answer.ts";
import {
  endsConnection,
  together,
  withEntries,
  withEnvelope,
  withHandler,
  withLimits,
  withPart,
  withRefusals,
  withReply,
  withStage,
  withStatuses,
} from "../changes.ts";
import { letsWarmIn, ownOf } from "../lets-in.ts";
import { WINDOW_MS } from "../../interface/limits.ts";
import { byClock, isChunked, limiting } from "../limit-books.ts";
import { lawful, mayWarn, type Change, type Different } from "../subject.ts";

/** Refusals get another status and another code, and a text that says no more than these. */
const refusedAs = (others: Readonly<Record<string, readonly [status: number, code: string]>>): Change =>
  together(
    withStatuses(Object.fromEntries(Object.entries(others).map(([code, [status]]) => [code, status]))),
    withEnvelope((envelope) => {
      if (envelope["ok"] !== false) return envelope;
      const code = others[String(envelope["code"])]?.[1] ?? envelope["code"];
      return { ...envelope, code, error: `Refused: ${String(code)}.` };
    }),
  );

/** Refusals of the first checks are answered only when the whole body was read. */
const drainsFirst = withRefusals(async (refusal, { context: { clock, parts }, request }, stage) => {
  if (stage !== "body" && stage !== "action") await parts.readBody(request, parts.limits, clock);
  return refusal;
});

const wantsLength = (stage: "body" | "rate-limit"): Change =>
  together(
    withStage(stage, (exchange, right) => {
      return isChunked(exchange.request) ? reject("payload_too_large") : right();
    }),
    withReply((reply, request) => (reply.status === 413 && isChunked(request) ? { ...reply, status: 411 } : reply)),
  );

/** The gateway's answer to a path that it does not serve: an envelope without a route's id. */
const answersNowhere = (routeId: string): Change => ({
  api: (api) => {
    const path = "/plugins/webhooks/custom-path";
    api.registerHttpRoute({
      path,
      auth: "plugin",
      match: "exact",
      replaceExisting: false,
      handler: async (_request, response) => {
        response.writeHead(404, { "content-type": "application/json", connection: "close" });
        response.end(JSON.stringify({ ok: false, routeId, code: "no_route", error: "Nothing here.", result: {} }));
        return true;
      },
    });
    return api;
  },
});

/** Windows of all keys of a group: the first request after the end of one opens the next. */
const sharedWindows = (groupOf: (key: string) => string): Change =>
  limiting(() => {
    const starts = new Map<string, number>();
    const begins = (now: number, key: string): number => {
      const start = starts.get(groupOf(key));
      const current = start !== undefined && now < start + WINDOW_MS ? start : now;
      starts.set(groupOf(key), current);
      return current;
    };
    return { begins };
  });

export const windows: readonly Different[] = lawful({
  "windows that begin together, a moment from now": byClock(WINDOW_MS, 1000),
  // The target's seconds begin at another moment than the kit's.
  "a window that begins with the second of its first request": limiting(() => ({
    begins: (now) => Math.floor((now + 930) / 1000) * 1000 - 930,
  })),
  "one window for all keys, begun by the first request after the last one's end": sharedWindows(() => ""),
  "one window for all keys of a path, begun by the first request after the last one's end": sharedWindows((key) =>
    key.slice(0, key.indexOf(" ")),
  ),
});

export const limits: readonly Different[] = [
  ...lawful({
    "the statuses of the ordered checks and of an absent flow, and the codes of the checks": refusedAs({
      method_not_allowed: [404, "bad_method"],
      unsupported_media_type: [400, "bad_content_type"],
      rate_limited: [503, "slow_down"],
      too_many_in_flight: [503, "busy"],
      unauthorized: [401, "authentication_failed"],
      payload_too_large: [400, "too_large"],
      request_timeout: [503, "too_slow"],
      not_found: [410, "not_found"],
    }),
    "refused alike: method and content type with 400, both limits, a body too large or too slow as a malformed one":
      refusedAs({
        method_not_allowed: [400, "method_not_allowed"],
        unsupported_media_type: [400, "method_not_allowed"],
        too_many_in_flight: [429, "rate_limited"],
        payload_too_large: [400, "invalid_request"],
        request_timeout: [400, "invalid_request"],
      }),
    "the status of the other rejections: 422": withStatuses({
      not_managed: 422,
      terminal: 422,
      cancel_requested: 422,
      mutation_rejected: 422,
      task_not_created: 422,
      cancel_rejected: 422,
    }),
    "the 2xx status of a success: 201": withReply((reply) =>
      reply.status === 200 ? { ...reply, status: 201 } : reply,
    ),
    "other headers beside, another challenge, the media type of a rejection": withReply(({ headers, ...reply }) => ({
      ...reply,
      headers: {
        ...headers,
        ...(headers["WWW-Authenticate"] && { "WWW-Authenticate": 'Bearer realm="webhooks"' }),
        ...(reply.status >= 400 && { "Content-Type": "application/problem+json" }),
        Server: "gateway/1",
        "X-Request-Id": "0f1e2d3c",
        Vary: "Origin",
      },
    })),
    "a connection for each request": endsConnection(() => true),
    "answers after 200 ms": withStage("action", async (_exchange, right) => {
      await sleep(200);
      return right();
    }),
  }),
  ...mayWarn("NEVER-5XX", {
    "the status of persist_failed and of fallbacks: 500": withStatuses({
      persist_failed: 500,
      mutation_rejected: 500,
      task_not_created: 500,
      cancel_rejected: 500,
    }),
  }),
  ...windows,
  ...lawful({
    "256 KB as 256,000 bytes, any depth up to 1,000, a window that holds its sixtieth second, a brief drain":
      withLimits({ bodyBytes: 256_000, jsonDepth: 1000, windowMs: 60_001, drainMs: 500 }),
    "a charset other than UTF-8 is refused": withStage("content-type", (exchange, right) => {
      const charset = /charset="?([^";]*)/i.exec(exchange.request.headers["content-type"] ?? "")?.[1] ?? "utf-8";
      return charset.toLowerCase() === "utf-8" ? right() : reject("unsupported_media_type");
    }),
    "of two secrets either counts": letsWarmIn(({ headers, secret }) => ownOf(headers) === secret),
    "a path with a query is no route": withHandler((handler) => async (request, response) => {
      return request.url?.includes("?") ? false : handler(request, response);
    }),
    "a slot comes free a moment after the answer": withPart("createInFlightLimiter", (create) => (given) => {
      const limiter = create(given);
      const take = (key: string) => {
        const free = limiter.take(key);
        return free && (() => void setImmediate(free));
      };
      return { trackedKeys: 0, take };
    }),
    "a body without a Content-Length is refused with 411": wantsLength("body"),
    "a body without a Content-Length is refused with 411 before it is counted": wantsLength("rate-limit"),
    "the gateway answers unknown paths in the envelope's shape, in no route's name": answersNowhere(""),
    "what stands for the route in the gateway's answer to unknown paths": answersNowhere("unknown"),
    "a disabled route stays registered and lets nobody in": withEntries((entry) =>
      entry["enabled"] === false
        ? { ...entry, enabled: true, secret: { source: "env", provider: "default", id: "NONE" } }
        : entry,
    ),
    "both routes of one path are left out": withEntries((entry) =>
      entry["path"] === "/hooks/duplicate" ? undefined : entry,
    ),
    "of two routes with one path the first is served": withEntries((entry, id) =>
      id === "second" ? undefined : entry,
    ),
  }),
  ...mayWarn(
    [
      ...["METHOD", "CONTENT-TYPE", "RATE", "IN-FLIGHT", "AUTH"].map((name) => `ORDER-${name}-ANSWERED-EARLY`),
      "ORDER-CONTINUE-AFTER-CHECKS",
    ],
    { "a refusal is answered when the body has been read": drainsFirst },
  ),
];
