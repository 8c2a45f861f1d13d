/** Limits that go wrong after a history of keys, refusals and aborts: no single request shows it. */
import { add, IN_FLIGHT, limiting, slotsOf } from "../../limit-books.ts";
import type { Subject } from "../../subject.ts";

const pathIn = (key: string) => key.split(" ")[0];
const addressIn = (key: string) => key.split(" ")[1];

type LimitFault = Omit<Subject, "id" | "kills">;

export const deepLimits: Record<string, LimitFault> = {
  "deep-window-reset-by-neighbour": {
    bug: "A client that opens its window makes those of the path's other clients begin anew.",
    change: limiting(() => ({
      opens: (key, { windows }) => {
        for (const other of windows.keys()) if (other !== key && pathIn(other) === pathIn(key)) windows.delete(other);
      },
    })),
  },
  "deep-slot-lost-by-third-abort": {
    bug: "The slot of every third request of a key that is broken off within its body stays taken.",
    change: limiting(() => {
      const aborts = new Map<string, number>();
      return {
        read: (outcome, key, books) => {
          if (outcome !== "aborted") return;
          const count = (aborts.get(key) ?? 0) + 1;
          aborts.set(key, count);
          if (count % 3 === 0) add(books, key, 1);
        },
      };
    }),
  },
  "deep-slot-freed-twice-by-abort": {
    bug: "A request that is broken off gives its slot back twice: by its body and by its connection.",
    change: limiting(() => ({
      read: (outcome, key, books) => {
        if (outcome === "aborted") add(books, key, -1);
      },
    })),
  },
  "deep-refused-body-not-counted": {
    bug: "A request whose body is refused is taken off the window's count again.",
    change: limiting(() => ({
      answered: (code, key, { windows }) => {
        const window = windows.get(key);
        if (window !== undefined && (code === "invalid_request" || code === "payload_too_large")) window.count -= 1;
      },
    })),
  },
  "deep-full-path-fills-others": {
    bug: "A client with eight requests in flight at one path finds no slot at any other.",
    change: limiting(() => ({
      isFull: (key, { slots }) =>
        [...slots].some(([other, count]) => count >= IN_FLIGHT && addressIn(other) === addressIn(key)),
    })),
  },
  "deep-address-cut": {
    bug: "The rate limit tells addresses apart by their first three bytes only.",
    change: limiting(() => ({ windowKey: (key) => key.replace(/\.\d+$/, "") })),
  },
  "deep-window-dropped-with-slot": {
    bug: "Window and slots of a key are kept together, and dropped together when its last request is broken off.",
    change: limiting(() => ({
      read: (outcome, key, books) => {
        if (outcome === "aborted" && slotsOf(books, key) === 0) books.windows.delete(key);
      },
    })),
  },
  "deep-refused-ninth-frees": {
    bug: "A request that is refused because eight are in flight gives a slot back that it never had.",
    change: limiting(() => ({ full: (key, books) => void setImmediate(() => add(books, key, -1)) })),
  },
  "deep-second-timeout-keeps-slot": {
    bug: "Of bodies that ran out of time only a key's first gives its slot back.",
    change: limiting(() => {
      const before = new Set<string>();
      return {
        read: (outcome, key, books) => {
          if (outcome === "timeout" && before.has(key)) add(books, key, 1);
          if (outcome === "timeout") before.add(key);
        },
      };
    }),
  },
};
