/** Section 8: limits that go wrong after a history of keys, refusals and aborts: no single request shows it. */
import { add, BUDGET, IN_FLIGHT, limiting, slotsOf, WINDOW_MS } from "../../limit-books.ts";
import { failing, type Subject } from "../../subject.ts";

const TRACKED_KEYS = 4096;
const pathIn = (key: string) => key.split(" ")[0];

export const histories: readonly Subject[] = [
  ...failing("LIMITS-4096-KEYS", limiting, {
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
    "Windows that are over are never forgotten, and with 4,096 of them a key that is new is not limited": () => ({
      opens: (key, { windows }) => {
        const start = windows.get(key)?.start ?? 0;
        const over = [...windows.values()].filter((other) => other.start + WINDOW_MS <= start);
        if (over.length >= 4096) windows.delete(key);
      },
    }),
  }),
  ...failing("PROPERTY-LIMITS", limiting, {
    "A client that opens its window makes those of the path's other clients begin anew": () => ({
      opens: (key, { windows }) => {
        for (const other of windows.keys()) if (other !== key && pathIn(other) === pathIn(key)) windows.delete(other);
      },
    }),
    "A request that is broken off gives its slot back twice: by its body and by its connection": () => ({
      read: (outcome, key, books) => {
        if (outcome === "aborted") add(books, key, -1);
      },
    }),
    "The rate limit tells addresses apart by their first three bytes only": () => ({
      windowKey: (key) => key.replace(/\.\d+$/, ""),
    }),
    "Window and slots of a key are kept together, and dropped together when its last request is broken off": () => ({
      read: (outcome, key, books) => {
        if (outcome === "aborted" && slotsOf(books, key) === 0) books.windows.delete(key);
      },
    }),
    "Of bodies that ran out of time only a key's first gives its slot back": () => {
      const before = new Set<string>();
      return {
        read: (outcome, key, books) => {
          if (outcome === "timeout" && before.has(key)) add(books, key, 1);
          if (outcome === "timeout") before.add(key);
        },
      };
    },
  }),
];
