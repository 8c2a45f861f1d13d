import type { Limits } from "./limits.ts";
import type { Clock } from "./ports.ts";

/** Counts requests by key in fixed windows. */
export interface RateLimiter {
  /** Counts one request: 0 when it may pass, else the milliseconds until the key's window ends. */
  take(key: string): number;
  readonly trackedKeys: number;
}

interface Window {
  readonly start: number;
  count: number;
}

/** A key's first request opens its window; refused requests are not counted and prolong nothing. */
export function createRateLimiter(limits: Limits, clock: Clock): RateLimiter {
  // Ordered by start. All windows are equally long, so expired keys come first, then the oldest.
  const windows = new Map<string, Window>();

  function open(key: string, start: number): void {
    windows.delete(key);
    for (const oldest of windows.keys()) {
      if (windows.size < limits.trackedKeys) break;
      windows.delete(oldest);
    }
    windows.set(key, { start, count: 1 });
  }

  return {
    take(key) {
      const now = clock.now();
      const window = windows.get(key);
      // A start in the future: the clock was set back, and the window would last too long.
      if (window === undefined || now >= window.start + limits.windowMs || now < window.start) {
        open(key, now);
        return 0;
      }
      if (window.count < limits.requestsPerWindow) {
        window.count += 1;
        return 0;
      }
      return window.start + limits.windowMs - now;
    },
    get trackedKeys() {
      return windows.size;
    },
  };
}
