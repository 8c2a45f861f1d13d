import { reject } from "../answer.ts";
import type { Stage } from "../contract.ts";

export const rateLimit: Stage = {
  name: "rate-limit",
  run({ context, request }) {
    const waitMs = context.rateLimiter.take(context.parts.clientKey(context.route, request));
    if (waitMs === 0) return undefined;
    return reject("rate_limited", { headers: { "Retry-After": String(Math.ceil(waitMs / 1000)) } });
  },
};
