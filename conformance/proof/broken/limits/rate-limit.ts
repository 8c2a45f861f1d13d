/** Section 8: the rate limit gone wrong. */
import { writtenLate } from "../../late-writes.ts";
import type { IncomingMessage } from "node:http";
import { reject } from "../../../../plugin/answer.ts";
import { withLimits, withStage } from "../../changes.ts";
import { subjectsOf, type Subject } from "../../subject.ts";

const isLocal = ({ socket }: IncomingMessage): boolean => socket.remoteAddress?.endsWith("127.0.0.1") === true;

/** Limits that look at a count and raise it later. */
const countedLate: readonly Subject[] = [100, 1000].flatMap((us) => writtenLate("limits", us));

const single: readonly Subject[] = subjectsOf<Subject>({
  "rate-1000": {
    bug: "The limit is 1,000 requests a window.",
    kills: ["RATE-121-REFUSED"],
    change: withLimits({ requestsPerWindow: 1000 }),
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
});

export const rateLimit: readonly Subject[] = [...single, ...countedLate];
