import type { Clock } from "./ports.ts";

/** The process's clock. Reads the globals at each call, since a host may replace them (fake timers). */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(callback, ms) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
