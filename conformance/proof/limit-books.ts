/** Both limits with faults that a history of keys, refusals and aborts brings out. */
import type { IncomingMessage } from "node:http";
import type { BodyOutcome } from "../../plugin/body.ts";
import type { Code } from "../../plugin/codes.ts";
import type { Route } from "../../plugin/config.ts";
import { IN_FLIGHT, WINDOW_MS } from "../interface/limits.ts";
import type { Change } from "./subject.ts";

export const BUDGET = 120;

interface Window {
  start: number;
  count: number;
  readonly turn: number;
  asked: number;
}

/** The state of both limits, by key: `path address`. */
interface Books {
  readonly windows: Map<string, Window>;
  readonly slots: Map<string, number>;
}

/** The points where a limit can go wrong; absent ones are correct. */
interface Faults {
  /** Of a key's n-th window. */
  readonly lengthMs?: (turn: number) => number;
  readonly budget?: (turn: number) => number;
  /** When a window began that a request opens. */
  readonly begins?: (now: number, key: string) => number;
  /** Another end of a window than that of its time. */
  readonly isOver?: (window: Window, now: number) => boolean;
  /** A key's new window was opened, with no request counted. */
  readonly opens?: (key: string, books: Books) => void;
  /** A request was counted; a window has accepted it if its count is within the budget. */
  readonly counted?: (window: Window, now: number) => void;
  /** Whether one more request finds no slot. */
  readonly isFull?: (key: string, books: Books) => boolean;
  /** The body failed; if no answer will follow, the slot is free by then. */
  readonly read?: (outcome: Exclude<BodyOutcome, Buffer>, key: string, books: Books, request: IncomingMessage) => void;
  readonly answered?: (code: Code | undefined, key: string, books: Books) => void;
  /** The plugin is registered, for the first time or again. */
  readonly registered?: (books: Books) => void;
}

export const slotsOf = ({ slots }: Books, key: string): number => slots.get(key) ?? 0;
export const add = ({ slots }: Books, key: string, more: number) =>
  void slots.set(key, Math.max(0, (slots.get(key) ?? 0) + more));

export const isChunked = ({ headers }: IncomingMessage): boolean => headers["transfer-encoding"] !== undefined;

/** The part of a request's route that the limits' key is made of. */
const routeAt = (request: IncomingMessage): Route => ({ canonicalPath: request.url ?? "" }) as Route;

/** `make` returns the faults with a memory of their own for each started subject. */
export const limiting = (make: () => Faults): Change => ({
  parts: (parts) => {
    const faults = make();
    const { lengthMs = () => WINDOW_MS, budget = () => BUDGET, begins = (now) => now } = faults;
    const books: Books = { windows: new Map(), slots: new Map() };
    const turns = new Map<string, number>();
    const keyOf = (request: IncomingMessage) => parts.clientKey(routeAt(request), request);
    const open = (key: string, now: number): Window => {
      const turn = (turns.get(key) ?? 0) + 1;
      turns.set(key, turn);
      const window = { start: begins(now, key), count: 0, turn, asked: now };
      books.windows.set(key, window);
      faults.opens?.(key, books);
      return window;
    };
    return {
      ...parts,
      createRateLimiter: (_limits, clock) => ({
        trackedKeys: 0,
        take: (key) => {
          const now = clock.now();
          const known = books.windows.get(key);
          const isKnown = known !== undefined && now < known.start + lengthMs(known.turn);
          const window = isKnown && faults.isOver?.(known, now) !== true ? known : open(key, now);
          window.count += 1;
          window.asked = now;
          const isAccepted = window.count <= budget(window.turn);
          faults.counted?.(window, now);
          return isAccepted ? 0 : Math.max(1, window.start + lengthMs(window.turn) - now);
        },
      }),
      createInFlightLimiter: () => {
        faults.registered?.(books);
        const take = (key: string) => {
          if (faults.isFull?.(key, books) ?? slotsOf(books, key) >= IN_FLIGHT) return undefined;
          add(books, key, 1);
          let held = true;
          return () => {
            if (held) add(books, key, -1);
            held = false;
          };
        };
        return { trackedKeys: 0, take };
      },
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

/** Requests that are answered with this code are taken off the window's count again, where it is like this. */
export const uncounted = (code: Code, isMeant = (_count: number) => true): Change =>
  limiting(() => ({
    answered: (answered, key, { windows }) => {
      const window = windows.get(key);
      if (window !== undefined && answered === code && isMeant(window.count)) window.count -= 1;
    },
  }));

/** A rate limit that refuses keys where it has no room for more. */
export const refusesBeyond = (keys: number): Change =>
  limiting(() => ({
    opens: (key, { windows }) => {
      const opened = windows.get(key);
      if (opened === undefined) return;
      for (const [other, { start }] of windows) if (opened.start >= start + WINDOW_MS) windows.delete(other);
      if (windows.size > keys) opened.count = BUDGET;
    },
  }));

/** Windows that end for all keys by the clock, `offsetMs` after the full period. */
export const byClock = (lengthMs: number, offsetMs = 0): Change =>
  limiting(() => ({
    lengthMs: () => lengthMs,
    begins: (now) => Math.floor((now - offsetMs) / lengthMs) * lengthMs + offsetMs,
  }));
