/** Section 8: the tables of tracked keys gone wrong. */
import { BUDGET, IN_FLIGHT, limiting, WINDOW_MS } from "../../limit-books.ts";
import { failing, type Subject } from "../../subject.ts";

const TRACKED_KEYS = 4096;

export const trackedKeys: readonly Subject[] = failing("LIMITS-4096-KEYS", limiting, {
  "The table of requests in flight keeps every key for ever: after 4,096 clients everybody else is refused": () => ({
    isFull: (key, { slots }) => (slots.get(key) ?? 0) >= IN_FLIGHT || (slots.size >= TRACKED_KEYS && !slots.has(key)),
  }),
  "The table of requests in flight holds 4,096 keys and drops the oldest for a new one, busy or not": () => ({
    isFull: (key, { slots }) => {
      const [oldest] = slots.keys();
      if (slots.size >= TRACKED_KEYS && !slots.has(key) && oldest !== undefined) slots.delete(oldest);
      return (slots.get(key) ?? 0) >= IN_FLIGHT;
    },
  }),
  "Of more than 1,024 windows those whose budget is not used up are forgotten, the oldest first": () => ({
    opens: (key, { windows }) => {
      if (windows.size <= 1024) return;
      for (const [other, { count }] of windows) {
        if (other === key || count >= BUDGET) continue;
        windows.delete(other);
        return;
      }
    },
  }),
  "Whenever 1,000 windows were opened, slots are cleaned up: those of keys with fewer than eight taken come free":
    () => {
      let opened = 0;
      return {
        opens: (_key, { slots }) => {
          opened += 1;
          if (opened % 1000 !== 0) return;
          for (const [key, count] of slots) if (count < IN_FLIGHT) slots.delete(key);
        },
      };
    },
  "Windows that are over are never forgotten, and with 4,096 of them a key that is new is not limited": () => ({
    opens: (key, { windows }) => {
      const start = windows.get(key)?.start ?? 0;
      const over = [...windows.values()].filter((other) => other.start + WINDOW_MS <= start);
      if (over.length >= 4096) windows.delete(key);
    },
  }),
});
