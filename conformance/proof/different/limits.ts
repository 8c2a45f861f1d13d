/** Freedoms in limits, bodies, secrets and configuration. */
import type { IncomingMessage } from "node:http";
import { reject } from "../../../plugin/answer.ts";
import {
  together,
  withEntries,
  withHandler,
  withLimits,
  withPart,
  withReply,
  withStage,
  withRefusals,
} from "../changes.ts";
import { letsWarmIn, ownOf } from "../lets-in.ts";
import { byClock, limiting, WINDOW_MS } from "../limit-books.ts";
import { lawful, mayWarn, type Change, type Different } from "../subject.ts";

/** Refusals of the first checks are answered only when the whole body was read. */
const drainsFirst = withRefusals(async (refusal, { context: { clock, parts }, request }, stage) => {
  if (stage !== "body" && stage !== "action") await parts.readBody(request, parts.limits, clock);
  return refusal;
});

const isChunked = (request: IncomingMessage) => request.headers["transfer-encoding"] !== undefined;

/** A body without a Content-Length is refused with 411. */
const wantsLength = together(
  withStage("body", (exchange, right) => {
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
  "windows that begin together, at another moment": byClock(WINDOW_MS, 23_000),
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
    "keys beyond the tracked ones are refused": withPart("createRateLimiter", (create) => (given, clock) => {
      const limiter = create(given, clock);
      return { trackedKeys: 0, take: (key) => (limiter.trackedKeys >= 4096 ? 1000 : limiter.take(key)) };
    }),
    "a body without a Content-Length is refused with 411": wantsLength,
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
    {
      "a refusal is answered when the body has been read": drainsFirst,
    },
  ),
];
