/** Section 8: the rate limit gone wrong. */
import { reject } from "../../../../plugin/answer.ts";
import { alsoLetsIn, withStage } from "../../changes.ts";
import { limitsWrittenLate } from "../../late-writes.ts";
import { failing, type Subject } from "../../subject.ts";

export const rateLimit: readonly Subject[] = [
  ...failing("RATE-121-REFUSED", {
    "The rate limit does not hold for 127.0.0.1": alsoLetsIn(
      "rate-limit",
      ({ socket }) => socket.remoteAddress?.endsWith("127.0.0.1") === true,
    ),
  }),
  ...failing("RATE-RETRY-AFTER", {
    "Retry-After is given in milliseconds": withStage("rate-limit", ({ context, request }) => {
      const waitMs = context.rateLimiter.take(context.parts.clientKey(context.route, request));
      return waitMs === 0 ? undefined : reject("rate_limited", { headers: { "Retry-After": String(waitMs) } });
    }),
  }),
  // Limits that look at a count and raise it later.
  ...limitsWrittenLate,
];
