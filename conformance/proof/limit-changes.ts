/** Ways to change the two limits, beside those of changes.ts. */
import type { IncomingMessage } from "node:http";
import type { Route } from "../../plugin/config.ts";
import type { Exchange, Parts } from "../../plugin/contract.ts";
import type { Limits } from "../../plugin/limits.ts";
import type { Clock } from "../../plugin/ports.ts";
import { withPart, withStage } from "./changes.ts";
import type { Change } from "./subject.ts";

/** The part of a request's route that the limits' key is made of. */
export const routeAt = (request: IncomingMessage): Route => ({ canonicalPath: request.url ?? "" }) as Route;

/** Another rate limiter, made from the limits and the clock: returns 0 to accept a key, or the milliseconds to wait. */
export const withRateLimiter = (make: (limits: Limits, clock: Clock) => (key: string) => number): Change =>
  withPart("createRateLimiter", () => (limits, clock) => ({ take: make(limits, clock), trackedKeys: 0 }));

/** What a limiter's windows may do otherwise; what is absent is correct. */
interface Windows {
  /** Of a key's n-th window. */
  readonly lengthMs?: (turn: number) => number;
  readonly budget?: (turn: number) => number;
  /** When a window began that a request opens. */
  readonly begins?: (now: number) => number;
  /** Requests that make the window begin anew. */
  readonly restartedBy?: "accepted" | "refused";
  /** A key's silence that ends its window, ms. */
  readonly idleMs?: number;
  /** Keys that share the windows. */
  readonly groupOf?: (key: string) => string;
}

/** A rate limiter with other windows. */
export const withWindows = ({
  lengthMs,
  budget,
  begins,
  restartedBy,
  idleMs,
  groupOf = (key) => key,
}: Windows): Change =>
  withRateLimiter((limits, clock) => {
    const windows = new Map<string, { start: number; turn: number; asked: number; counts: Map<string, number> }>();
    return (key) => {
      const now = clock.now();
      const known = windows.get(groupOf(key));
      const length = lengthMs?.(known?.turn ?? 1) ?? limits.windowMs;
      const isIdle = known !== undefined && now - known.asked >= (idleMs ?? Number.POSITIVE_INFINITY);
      const opened = { start: begins?.(now) ?? now, turn: (known?.turn ?? 0) + 1, asked: now, counts: new Map() };
      const window = known === undefined || isIdle || now >= known.start + length ? opened : known;
      windows.set(groupOf(key), window);
      const count = (window.counts.get(key) ?? 0) + 1;
      window.counts.set(key, count);
      window.asked = now;
      const isAccepted = count <= (budget?.(window.turn) ?? limits.requestsPerWindow);
      if (restartedBy === (isAccepted ? "accepted" : "refused")) window.start = now;
      return isAccepted ? 0 : Math.max(1, window.start + length - now);
    };
  });

/** Windows that end for all keys by the clock, `offsetMs` after the full period. */
export const byClock = (lengthMs: number, offsetMs = 0): Change =>
  withWindows({
    lengthMs: () => lengthMs,
    begins: (now) => Math.floor((now - offsetMs) / lengthMs) * lengthMs + offsetMs,
  });

/** Another key for one of the two limits. `key`: the correct one. */
export const withStageKey = (
  name: "rate-limit" | "in-flight",
  keyOf: (route: Route, request: IncomingMessage, key: string) => string,
): Change =>
  withStage(name, async (exchange, right) => {
    const { context } = exchange;
    const clientKey: Parts["clientKey"] = (route, request) =>
      keyOf(route, request, context.parts.clientKey(route, request));
    const inner: Exchange = { ...exchange, context: { ...context, parts: { ...context.parts, clientKey } } };
    const outcome = await right(inner);
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
