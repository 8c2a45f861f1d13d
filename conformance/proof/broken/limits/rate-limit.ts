/** Section 8: the rate limit gone wrong. */
import { withStageKey } from "../../limit-changes.ts";
import type { IncomingMessage } from "node:http";
import { reject } from "../../../../plugin/answer.ts";
import { withLimits, withStage, withoutStage } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

/** Both limits take the client's address from a header. */
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
    change: withoutStage("rate-limit"),
  },
  "rate-1000": {
    bug: "The limit is 1,000 requests a window.",
    kills: ["RATE-121-REFUSED"],
    change: withLimits({ requestsPerWindow: 1000 }),
  },
  "rate-key-address-only": {
    bug: "The rate limit counts a client's requests over all routes together.",
    kills: ["RATE-KEY-PATH"],
    change: withStageKey("rate-limit", (_route, request) => request.socket.remoteAddress ?? ""),
  },
  "rate-key-path-only": {
    bug: "All clients of a route share one budget.",
    kills: ["RATE-KEY-ADDRESS"],
    change: withStageKey("rate-limit", (route) => route.canonicalPath),
  },
  "rate-skips-localhost": {
    bug: "The rate limit does not hold for 127.0.0.1.",
    kills: ["RATE-121-REFUSED"],
    change: withStage(
      "rate-limit",
      ({ run }) =>
        (exchange) =>
          isLocal(exchange.request) ? undefined : run(exchange),
    ),
  },
  "rate-key-by-header": {
    bug: "The rate limit's key holds the credentials as they were sent, so another header opens another budget.",
    kills: ["RATE-EVERY-REQUEST"],
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
  "rate-key-spelling": {
    bug: "The gateway takes a path with a slash at its end for the route, and the limit counts it as another path.",
    kills: ["LIMITS-PATH-SPELLED"],
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
  "rate-forwarded": {
    bug: "The client's address is taken from X-Forwarded-For.",
    kills: ["RATE-CLIENT-NAMED", "IN-FLIGHT-CLIENT-NAMED"],
    change: addressFrom("x-forwarded-for"),
  },
  "rate-client-ip": {
    bug: "The client's address is taken from X-Client-IP.",
    kills: ["RATE-CLIENT-NAMED", "IN-FLIGHT-CLIENT-NAMED"],
    change: addressFrom("x-client-ip"),
  },
});
