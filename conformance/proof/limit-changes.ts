/** Ways to change the two limits, beside those of changes.ts. */
import type { IncomingMessage } from "node:http";
import type { Route } from "../../plugin/config.ts";
import type { Exchange, Parts } from "../../plugin/contract.ts";
import type { InFlightLimiter } from "../../plugin/in-flight-limiter.ts";
import type { Limits } from "../../plugin/limits.ts";
import type { Clock } from "../../plugin/ports.ts";
import { withParts, withStage } from "./changes.ts";
import type { Change } from "./subject.ts";

/** The part of a request's route that the limits' key is made of. */
export const routeAt = (request: IncomingMessage): Route => ({ canonicalPath: request.url ?? "" }) as Route;

/** Another rate limiter, made from the limits and the clock: returns 0 to accept a key, or the milliseconds to wait. */
export const withRateLimiter = (make: (limits: Limits, clock: Clock) => (key: string) => number): Change =>
  withParts({ createRateLimiter: (limits, clock) => ({ take: make(limits, clock), trackedKeys: 0 }) });

/** Another in-flight limiter, made from the limits: returns the function that frees a key's slot, or undefined to refuse. */
export const withInFlightLimiter = (make: (limits: Limits) => InFlightLimiter["take"]): Change =>
  withParts({ createInFlightLimiter: (limits) => ({ take: make(limits), trackedKeys: 0 }) });

/** Another key for one of the two limits. `key`: the correct one. */
export const withStageKey = (
  name: "rate-limit" | "in-flight",
  keyOf: (route: Route, request: IncomingMessage, key: string) => string,
): Change =>
  withStage(name, ({ run }) => async (exchange) => {
    const { context } = exchange;
    const clientKey: Parts["clientKey"] = (route, request) =>
      keyOf(route, request, context.parts.clientKey(route, request));
    const inner: Exchange = { ...exchange, context: { ...context, parts: { ...context.parts, clientKey } } };
    const outcome = await run(inner);
    if (inner.releaseSlot !== undefined) exchange.releaseSlot = inner.releaseSlot;
    return outcome;
  });

/** Requests that are answered with this code are not counted by the rate limit. */
export function uncounted(code: string): Change {
  return {
    parts: (parts) => {
      const credits = new Map<string, number>();
      const keys = new WeakMap<object, string>();
      return {
        ...parts,
        clientKey: (route, request) => {
          const key = parts.clientKey(route, request);
          keys.set(request, key);
          return key;
        },
        createRateLimiter: (limits, clock) => {
          const limiter = parts.createRateLimiter(limits, clock);
          const take = (key: string) => {
            const credit = credits.get(key) ?? 0;
            if (credit === 0) return limiter.take(key);
            credits.set(key, credit - 1);
            return 0;
          };
          return { take, trackedKeys: 0 };
        },
        writeAnswer: (request, response, route, answer, wording) => {
          const key = keys.get(request);
          if (answer.code === code && key !== undefined) credits.set(key, (credits.get(key) ?? 0) + 1);
          parts.writeAnswer(request, response, route, answer, wording);
        },
      };
    },
  };
}
