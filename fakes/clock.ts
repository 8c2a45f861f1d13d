/** Time: the system's, or one that a test drives. */
import { syncBuiltinESMExports } from "node:module";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { createClock, install } from "@sinonjs/fake-timers";
import type { Clock } from "../plugin/ports.ts";

/** The process's clock. Reads the globals at each call, so an installed driven clock takes effect. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout: (callback, ms) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

export interface DrivenClock {
  readonly clock: Clock;
  /**
   * Advances time by `ms` milliseconds and resolves to the new time once the due timers have run, in order, with a turn
   * of the event loop after each. Rejects with the first error that a timer threw; that of an installed clock is uncaught.
   */
  advance(ms: number): Promise<number>;
}

export interface InstalledClock extends DrivenClock {
  /** Restores the real clock. */
  uninstall(): void;
}

/** A clock that stands still until it is advanced; `start` in milliseconds since the epoch. */
export function createDrivenClock(start: number = Date.UTC(2026, 0, 1)): DrivenClock {
  const fake = createClock(start);
  const clock: Clock = {
    now: () => fake.now,
    setTimeout: (callback, ms) => {
      const timer = fake.setTimeout(callback, ms);
      return () => fake.clearTimeout(timer);
    },
  };
  return { clock, advance: advancer((ms) => fake.tickAsync(ms)) };
}

/**
 * Replaces what a program reads time from and waits with in this process, so that code which takes no clock is driven as
 * well, however it imports that. Sockets and the HTTP server's own timers stay real. A short timer also falls due in real
 * time, without moving the clock: an answer may wait for it, and nobody advances the clock before that answer.
 */
export function installDrivenClock(): InstalledClock {
  const later = globalThis.setTimeout;
  const fake = install({ now: Date.now(), toFake: [...DRIVEN] });
  const standing = fake.setTimeout;
  fake.setTimeout = (callback, ms = 0, ...values) => {
    const timer = standing(callback, ms, ...values);
    const isPending = () => {
      const before = fake.countTimers();
      fake.clearTimeout(timer);
      return fake.countTimers() < before;
    };
    if (!(ms > SHORT_MS)) later(() => isPending() && callback(...values), ms).unref();
    return timer;
  };
  Object.defineProperty(globalThis.setTimeout, promisify.custom, { value: delay });
  const realTimeout = AbortSignal.timeout.bind(AbortSignal);
  AbortSignal.timeout = drivenTimeout;
  syncBuiltinESMExports();
  const uncaught = (error: unknown): number => {
    process.nextTick(() => {
      throw error;
    });
    return fake.now;
  };
  return {
    clock: systemClock,
    advance: advancer((ms) => fake.tickAsync(ms).catch(uncaught)),
    uninstall: () => {
      fake.setTimeout = standing;
      fake.uninstall();
      AbortSignal.timeout = realTimeout;
      syncBuiltinESMExports();
    },
  };
}

/** The longest wait before an answer, as behind a wrong secret, that is no time limit of the interface, ms. */
const SHORT_MS = 2000;

const DRIVEN = ["Date", "setTimeout", "clearTimeout", "setInterval", "clearInterval", "hrtime", "performance"] as const;

function drivenTimeout(ms: number): AbortSignal {
  const ending = new AbortController();
  setTimeout(() => ending.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")), ms);
  return ending.signal;
}

// Advances are queued: two that overlap would move the time on which the other one waits.
function advancer(tick: (ms: number) => Promise<number>): (ms: number) => Promise<number> {
  let previous: Promise<unknown> = Promise.resolve();
  return (ms) => {
    const advanced = previous.then(async () => {
      const now = await tick(ms);
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      return now;
    });
    previous = advanced.catch(() => undefined);
    return advanced;
  };
}
