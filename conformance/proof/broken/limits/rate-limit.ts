/** Section 8: the rate limit gone wrong. */
import type { IncomingMessage } from "node:http";
import { reject } from "../../../../plugin/answer.ts";
import type { Clock } from "../../../../plugin/ports.ts";
import { withLimits, withParts, withRateLimiter, withStage, withStageKey, withoutStage } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";
import { uncounted } from "../endpoints/order.ts";

const BUDGET = 120;
const WINDOW_MS = 60_000;
const REFUSED_MS = 1000;

/** Counts in windows that the rule opens anew: it is asked with the start of the running one. */
function windows(clock: Clock, budget: number, isOver: (start: number, turn: number) => boolean) {
  const known = new Map<string, { start: number; count: number; turn: number }>();
  return (key: string): number => {
    const window = known.get(key);
    if (window === undefined || isOver(window.start, window.turn)) {
      known.set(key, { start: clock.now(), count: 1, turn: (window?.turn ?? 0) + 1 });
      return 0;
    }
    window.count += 1;
    return window.count <= budget ? 0 : REFUSED_MS;
  };
}

/** Both limits count by the address that a header names. */
const addressFrom = (header: string): Change => ({
  parts: (parts) => ({
    ...parts,
    clientKey: (route, request) => {
      const forwarded = request.headers[header];
      return forwarded === undefined ? parts.clientKey(route, request) : `${route.path} ${String(forwarded)}`;
    },
  }),
});

const isLocal = ({ socket }: IncomingMessage): boolean => socket.remoteAddress?.endsWith("127.0.0.1") === true;

export const rateLimit: readonly Subject[] = subjectsOf<Subject>({
  "rate-none": {
    bug: "The rate limit is not applied at all.",
    kills: ["RATE-121-REFUSED"],
    alsoFails: ["ORDER-AUTH-SPENDS-BUDGET", "ORDER-BODY-SPENDS-BUDGET", "ORDER-IN-FLIGHT-SPENDS-BUDGET"],
    change: withoutStage("rate-limit"),
  },
  "rate-119": {
    bug: "The 120th request of a window is refused: the comparison is off by one.",
    kills: ["RATE-120-ACCEPTED"],
    alsoFails: ["RATE-WINDOW-NEW-BUDGET", "ORDER-METHOD-SPENDS-NO-BUDGET", "ORDER-CONTENT-TYPE-SPENDS-NO-BUDGET"],
    change: withLimits({ requestsPerWindow: BUDGET - 1 }),
  },
  "rate-60": {
    bug: "The limit is 60 requests a window.",
    kills: ["RATE-120-ACCEPTED"],
    alsoFails: ["RATE-WINDOW-NEW-BUDGET", "ORDER-METHOD-SPENDS-NO-BUDGET", "ORDER-CONTENT-TYPE-SPENDS-NO-BUDGET"],
    change: withLimits({ requestsPerWindow: 60 }),
  },
  "rate-121": {
    bug: "A 121st request is let in: the count is compared before it is raised.",
    kills: ["RATE-121-REFUSED"],
    change: withLimits({ requestsPerWindow: BUDGET + 1 }),
  },
  "rate-1000": {
    bug: "The limit is 1,000 requests a window.",
    kills: ["RATE-121-REFUSED"],
    alsoFails: ["ORDER-AUTH-SPENDS-BUDGET", "ORDER-BODY-SPENDS-BUDGET", "ORDER-IN-FLIGHT-SPENDS-BUDGET"],
    change: withLimits({ requestsPerWindow: 1000 }),
  },
  "rate-window-30-seconds": {
    bug: "The window lasts 30 seconds.",
    kills: ["RATE-WINDOW-60-SECONDS"],
    alsoFails: ["RATE-WINDOW-SECOND-LENGTH"],
    change: withLimits({ windowMs: 30_000 }),
  },
  "rate-window-90-seconds": {
    bug: "The window lasts 90 seconds.",
    kills: ["RATE-WINDOW-NEW-BUDGET", "RATE-WINDOW-60-SECONDS", "RATE-REFUSED-DO-NOT-PROLONG"],
    alsoFails: ["RATE-RETRY-AFTER", "RATE-WINDOW-SECOND-LENGTH"],
    change: withLimits({ windowMs: 90_000 }),
  },
  "rate-window-grows": {
    bug: "Every window of a key lasts twice as long as the one before.",
    kills: ["RATE-WINDOW-SECOND-LENGTH"],
    change: withRateLimiter((_limits, clock) =>
      windows(clock, BUDGET, (start, turn) => clock.now() >= start + WINDOW_MS * 2 ** (turn - 1)),
    ),
  },
  "rate-first-window-only": {
    bug: "The limit holds in a key's first window only.",
    kills: ["RATE-WINDOW-NEW-BUDGET"],
    change: withRateLimiter((_limits, clock) =>
      windows(clock, BUDGET, (start, turn) => turn > 1 || clock.now() >= start + WINDOW_MS),
    ),
  },
  "rate-sliding": {
    bug: "The window slides: each request counts for 60 seconds of its own.",
    kills: ["RATE-WINDOW-NEW-BUDGET"],
    change: withRateLimiter((_limits, clock) => {
      const times = new Map<string, number[]>();
      return (key) => {
        const recent = (times.get(key) ?? []).filter((time) => clock.now() < time + WINDOW_MS);
        times.set(key, recent);
        if (recent.length >= BUDGET) return REFUSED_MS;
        recent.push(clock.now());
        return 0;
      };
    }),
  },
  "rate-token-bucket": {
    bug: "The budget refills by two requests a second instead of whole at the window's end.",
    kills: ["RATE-SPREAD-OVER-WINDOW"],
    alsoFails: ["RATE-WINDOW-NEW-BUDGET"],
    change: withRateLimiter((_limits, clock) => {
      const buckets = new Map<string, { tokens: number; at: number }>();
      return (key) => {
        const now = clock.now();
        const bucket = buckets.get(key) ?? { tokens: BUDGET, at: now };
        const tokens = Math.min(BUDGET, bucket.tokens + ((now - bucket.at) * BUDGET) / WINDOW_MS);
        const passes = tokens >= 1;
        buckets.set(key, { tokens: passes ? tokens - 1 : tokens, at: now });
        return passes ? 0 : REFUSED_MS;
      };
    }),
  },
  "rate-refused-prolong": {
    bug: "A refused request starts the window again, so a caller that retries stays locked out.",
    kills: ["RATE-REFUSED-DO-NOT-PROLONG"],
    alsoFails: ["RATE-WINDOW-NEW-BUDGET", "RATE-WINDOW-60-SECONDS", "RATE-WINDOW-SECOND-LENGTH"],
    change: withRateLimiter((_limits, clock) => {
      const known = new Map<string, { start: number; count: number }>();
      return (key) => {
        const window = known.get(key);
        if (window === undefined || clock.now() >= window.start + WINDOW_MS) {
          known.set(key, { start: clock.now(), count: 1 });
          return 0;
        }
        window.count += 1;
        if (window.count <= BUDGET) return 0;
        window.start = clock.now();
        return REFUSED_MS;
      };
    }),
  },
  "rate-key-address-only": {
    bug: "The rate limit counts a client's requests over all routes together.",
    kills: ["RATE-KEY-PATH"],
    change: withStageKey("rate-limit", (_route, request) => request.socket.remoteAddress ?? ""),
  },
  "rate-key-path-only": {
    bug: "All clients of a route share one budget.",
    kills: ["RATE-KEY-ADDRESS"],
    alsoFails: ["IN-FLIGHT-FREED-BAD-JSON", "ORDER-METHOD-SPENDS-NO-BUDGET", "ORDER-CONTENT-TYPE-SPENDS-NO-BUDGET"],
    change: withStageKey("rate-limit", (route) => route.canonicalPath),
  },
  "rate-skips-localhost": {
    bug: "The rate limit does not hold for 127.0.0.1.",
    kills: ["RATE-HOME-ADDRESS"],
    change: withStage(
      "rate-limit",
      ({ run }) =>
        (exchange) =>
          isLocal(exchange.request) ? undefined : run(exchange),
    ),
  },
  "rate-key-by-header": {
    bug: "The rate limit's key holds the credentials as they were sent, so another header opens another budget.",
    kills: ["RATE-NEVER-BY-SECRET"],
    alsoFails: [
      "ORDER-RATE-BEFORE-AUTH",
      "ORDER-IN-FLIGHT-BEFORE-AUTH",
      "ORDER-RATE-BEFORE-AUTH-AND-BODY",
      "ORDER-IN-FLIGHT-BEFORE-AUTH-AND-BODY",
      "ORDER-AUTH-SPENDS-BUDGET",
    ],
    change: {
      parts: (parts) => ({
        ...parts,
        clientKey: (route, request) => {
          const { authorization, "x-service-webhook-secret": own } = request.headers;
          return `${parts.clientKey(route, request)} ${authorization} ${String(own)}`;
        },
      }),
    },
  },
  "rate-key-query": {
    bug: "The rate limit's key is the request target with its query.",
    kills: ["RATE-QUERY-SAME-PATH"],
    change: withParts({ clientKey: (_route, request) => `${request.url} ${request.socket.remoteAddress}` }),
  },
  "rate-key-spelling": {
    bug: "The gateway takes a path with a slash at its end for the route, and the limit counts it as another path.",
    kills: ["RATE-PATH-SPELLINGS"],
    change: {
      parts: (parts) => ({
        ...parts,
        clientKey: (_route, { url = "", socket }) => `${url.split("?", 1)[0]} ${socket.remoteAddress}`,
      }),
      api: (api) => ({
        ...api,
        registerHttpRoute: (route) => {
          api.registerHttpRoute(route);
          api.registerHttpRoute({ ...route, path: `${route.path}/` });
        },
      }),
    },
  },
  "rate-retry-after-milliseconds": {
    bug: "Retry-After is given in milliseconds.",
    kills: ["RATE-RETRY-AFTER"],
    change: withStage("rate-limit", () => ({ context, request }) => {
      const waitMs = context.rateLimiter.take(context.parts.clientKey(context.route, request));
      return waitMs === 0 ? undefined : reject("rate_limited", { headers: { "Retry-After": String(waitMs) } });
    }),
  },
  "rate-few-keys": {
    bug: "Only 1,024 keys are remembered, so a flood of other addresses makes a limited one forgotten.",
    kills: ["RATE-4096-KEYS"],
    change: {
      parts: (parts) => ({
        ...parts,
        createRateLimiter: (limits, clock) => parts.createRateLimiter({ ...limits, trackedKeys: 1024 }, clock),
      }),
    },
  },
  "rate-forwarded": {
    bug: "The client's address is taken from X-Forwarded-For.",
    kills: ["RATE-FORWARDED-HEADERS", "IN-FLIGHT-FORWARDED-HEADERS"],
    change: addressFrom("x-forwarded-for"),
  },
  "rate-client-ip": {
    bug: "The client's address is taken from X-Client-IP.",
    kills: ["RATE-FORWARDED-HEADERS", "IN-FLIGHT-FORWARDED-HEADERS"],
    change: addressFrom("x-client-ip"),
  },
  "rate-timeout-uncounted": {
    bug: "Requests whose body ran out of time are not counted by the rate limit.",
    kills: ["RATE-TIMEOUT-SPENDS-BUDGET"],
    change: uncounted("request_timeout"),
  },
});
