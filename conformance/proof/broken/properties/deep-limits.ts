/** Limits that go wrong after a history of keys, refusals and aborts: no single request shows it. */
import { routeAt } from "../../limit-changes.ts";
import type { IncomingMessage } from "node:http";
import type { Code } from "../../../../plugin/codes.ts";
import type { BodyOutcome } from "../../../../plugin/body.ts";
import type { Change, Subject } from "../../subject.ts";

const BUDGET = 120;
const WINDOW_MS = 60_000;
const IN_FLIGHT = 8;
const REFUSED_MS = 1000;

/** The state of both limits, by key: `path address`. */
interface Books {
  readonly windows: Map<string, { start: number; count: number }>;
  readonly slots: Map<string, number>;
}

/** The points where a limit can go wrong; absent ones are correct. */
interface Faults {
  readonly windowKey?: (key: string) => string;
  /** A key's new window was opened, with one request counted. */
  readonly opens?: (key: string, books: Books, turn: number) => void;
  /** Whether one more request finds no slot. */
  readonly isFull?: (key: string, books: Books) => boolean;
  /** A request was refused because eight are in flight. */
  readonly full?: (key: string, books: Books) => void;
  /** The body failed; if no answer will follow, the slot is free by then. */
  readonly read?: (outcome: Exclude<BodyOutcome, Buffer>, key: string, books: Books) => void;
  readonly answered?: (code: Code | undefined, key: string, books: Books) => void;
}

const slotsOf = ({ slots }: Books, key: string): number => slots.get(key) ?? 0;
const add = ({ slots }: Books, key: string, more: number) =>
  void slots.set(key, Math.max(0, (slots.get(key) ?? 0) + more));

/** `make` returns the faults with a memory of their own for each started subject. */
const limiting = (make: () => Faults): Change => ({
  parts: (parts) => {
    const faults = make();
    const books: Books = { windows: new Map(), slots: new Map() };
    const turns = new Map<string, number>();
    const keyOf = (request: IncomingMessage) => parts.clientKey(routeAt(request), request);
    return {
      ...parts,
      createRateLimiter: (_limits, clock) => ({
        trackedKeys: 0,
        take: (of) => {
          const key = faults.windowKey?.(of) ?? of;
          const window = books.windows.get(key);
          if (window === undefined || clock.now() >= window.start + WINDOW_MS) {
            const turn = (turns.get(key) ?? 0) + 1;
            turns.set(key, turn);
            books.windows.set(key, { start: clock.now(), count: 1 });
            faults.opens?.(key, books, turn);
            return 0;
          }
          window.count += 1;
          return window.count <= BUDGET ? 0 : REFUSED_MS;
        },
      }),
      createInFlightLimiter: () => ({
        trackedKeys: 0,
        take: (key) => {
          if (faults.isFull?.(key, books) ?? slotsOf(books, key) >= IN_FLIGHT) {
            faults.full?.(key, books);
            return undefined;
          }
          add(books, key, 1);
          let held = true;
          return () => {
            if (held) add(books, key, -1);
            held = false;
          };
        },
      }),
      readBody: async (request, limits, clock) => {
        const key = keyOf(request);
        const outcome = await parts.readBody(request, limits, clock);
        if (typeof outcome === "string") setImmediate(() => faults.read?.(outcome, key, books));
        return outcome;
      },
      writeAnswer: (request, response, route, answer, wording) => {
        faults.answered?.(answer.code, keyOf(request), books);
        parts.writeAnswer(request, response, route, answer, wording);
      },
    };
  },
});

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
  "deep-second-window-short": {
    bug: "From a key's second window on the budget is 119: its first request counts twice.",
    change: limiting(() => ({
      opens: (key, { windows }, turn) => {
        const window = windows.get(key);
        if (window !== undefined && turn > 1) window.count += 1;
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

/** Faults that show only with thousands of keys. */
export const deepKeys: Record<string, LimitFault> = {
  "deep-budgets-forgotten-in-flood": {
    bug: "Of more than 1,024 windows those whose budget is not used up are forgotten, the oldest first.",
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
    bug: "Windows that are over are never forgotten, and with 5,000 of them a key that is new is not limited.",
    change: limiting(() => ({
      opens: (key, { windows }) => {
        if (windows.size > 5000) windows.delete(key);
      },
    })),
  },
};
