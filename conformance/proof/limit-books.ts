/** Both limits with faults that a history of keys, refusals and aborts brings out. */
import type { IncomingMessage } from "node:http";
import type { BodyOutcome } from "../../plugin/body.ts";
import type { Code } from "../../plugin/codes.ts";
import { routeAt } from "./limit-changes.ts";
import type { Change } from "./subject.ts";

export const BUDGET = 120;
export const IN_FLIGHT = 8;
export const WINDOW_MS = 60_000;

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
  readonly read?: (outcome: Exclude<BodyOutcome, Buffer>, key: string, books: Books, request: IncomingMessage) => void;
  readonly answered?: (code: Code | undefined, key: string, books: Books) => void;
}

export const slotsOf = ({ slots }: Books, key: string): number => slots.get(key) ?? 0;
export const add = ({ slots }: Books, key: string, more: number) =>
  void slots.set(key, Math.max(0, (slots.get(key) ?? 0) + more));

/** `make` returns the faults with a memory of their own for each started subject. */
export const limiting = (make: () => Faults): Change => ({
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
          return window.count <= BUDGET ? 0 : window.start + WINDOW_MS - clock.now();
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
        if (typeof outcome === "string") setImmediate(() => faults.read?.(outcome, key, books, request));
        return outcome;
      },
      writeAnswer: (request, response, route, answer, wording) => {
        faults.answered?.(answer.code, keyOf(request), books);
        parts.writeAnswer(request, response, route, answer, wording);
      },
    };
  },
});
