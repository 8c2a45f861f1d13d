/** Section 8: the tables of tracked keys gone wrong. */
import { BUDGET, IN_FLIGHT, limiting, WINDOW_MS } from "../../limit-books.ts";
import { withRateLimiter } from "../../limit-changes.ts";
import { createRateLimiter } from "../../../../plugin/rate-limiter.ts";
import { subjectsOf, type Subject } from "../../subject.ts";

const TRACKED_KEYS = 4096;

export const trackedKeys: readonly Subject[] = subjectsOf<Subject>({
  "rate-few-keys": {
    bug: "Only 1,024 keys are remembered, so a flood of other addresses makes a limited one forgotten.",
    kills: ["LIMITS-4096-KEYS"],
    change: {
      parts: (parts) => ({
        ...parts,
        createRateLimiter: (limits, clock) => parts.createRateLimiter({ ...limits, trackedKeys: 1024 }, clock),
      }),
    },
  },
  "rate-full-table": {
    bug: "Once 4,096 keys are tracked a new one is not tracked, and so never limited.",
    kills: ["LIMITS-4096-KEYS"],
    change: withRateLimiter((limits, clock) => {
      const inner = createRateLimiter(limits, clock);
      const tracked = new Set<string>();
      return (key) => {
        if (!tracked.has(key) && tracked.size >= limits.trackedKeys) return 0;
        tracked.add(key);
        return inner.take(key);
      };
    }),
  },
  "in-flight-keys-never-dropped": {
    bug: "The table of requests in flight keeps every key for ever: after 4,096 clients everybody else is refused.",
    kills: ["LIMITS-4096-KEYS"],
    change: limiting(() => ({
      isFull: (key, { slots }) => (slots.get(key) ?? 0) >= IN_FLIGHT || (slots.size >= TRACKED_KEYS && !slots.has(key)),
    })),
  },
  "in-flight-forgets-oldest": {
    bug: "The table of requests in flight holds 4,096 keys and drops the oldest for a new one, busy or not.",
    kills: ["LIMITS-4096-KEYS"],
    change: limiting(() => ({
      isFull: (key, { slots }) => {
        const [oldest] = slots.keys();
        if (slots.size >= TRACKED_KEYS && !slots.has(key) && oldest !== undefined) slots.delete(oldest);
        return (slots.get(key) ?? 0) >= IN_FLIGHT;
      },
    })),
  },
  "deep-budgets-forgotten-in-flood": {
    bug: "Of more than 1,024 windows those whose budget is not used up are forgotten, the oldest first.",
    kills: ["LIMITS-4096-KEYS"],
    change: limiting(() => ({
      opens: (key, { windows }) => {
        if (windows.size <= 1024) return;
        for (const [other, { count }] of windows) {
          if (other === key || count >= BUDGET) continue;
          windows.delete(other);
          return;
        }
      },
    })),
  },
  "deep-slots-forgotten-in-flood": {
    bug: "Whenever 1,000 windows were opened, slots are cleaned up: those of keys with fewer than eight taken come free.",
    kills: ["LIMITS-4096-KEYS"],
    change: limiting(() => {
      let opened = 0;
      return {
        opens: (_key, { slots }) => {
          opened += 1;
          if (opened % 1000 !== 0) return;
          for (const [key, count] of slots) if (count < IN_FLIGHT) slots.delete(key);
        },
      };
    }),
  },
  "deep-old-windows-take-room": {
    bug: "Windows that are over are never forgotten, and with 4,096 of them a key that is new is not limited.",
    kills: ["LIMITS-4096-KEYS"],
    change: limiting(() => ({
      opens: (key, { windows }) => {
        const start = windows.get(key)?.start ?? 0;
        const over = [...windows.values()].filter((other) => other.start + WINDOW_MS <= start);
        if (over.length >= 4096) windows.delete(key);
      },
    })),
  },
});
