/** Section 8: the window of the rate limit gone wrong. */
import { withRateLimiter, uncounted } from "../../limit-changes.ts";
import type { Clock } from "../../../../plugin/ports.ts";
import { withLimits } from "../../changes.ts";
import { subjectsOf, type Subject } from "../../subject.ts";

const BUDGET = 120;
const WINDOW_MS = 60_000;
const REFUSED_MS = 1000;

/** Counts in windows; `isOver` decides from the start and the number of the current one whether a new one opens. */
function windows(clock: Clock, budget: number, isOver: (start: number, turn: number) => boolean) {
  const known = new Map<string, { start: number; count: number; turn: number }>();
  return (key: string): number => {
    const window = known.get(key);
    if (window === undefined || isOver(window.start, window.turn)) {
      known.set(key, { start: clock.now(), count: 1, turn: (window?.turn ?? 0) + 1 });
      return 0;
    }
    window.count += 1;
    return window.count <= budget ? 0 : REFUSED_MS;
  };
}

export const rateWindow: readonly Subject[] = subjectsOf<Subject>({
  "rate-window-30-seconds": {
    bug: "The window lasts 30 seconds.",
    kills: ["RATE-WINDOW-60-SECONDS"],
    change: withLimits({ windowMs: 30_000 }),
  },
  "rate-window-90-seconds": {
    bug: "The window lasts 90 seconds.",
    kills: ["RATE-WINDOW-60-SECONDS"],
    change: withLimits({ windowMs: 90_000 }),
  },
  "rate-window-grows": {
    bug: "Every window of a key lasts twice as long as the one before.",
    kills: ["RATE-WINDOW-60-SECONDS"],
    change: withRateLimiter((_limits, clock) =>
      windows(clock, BUDGET, (start, turn) => clock.now() >= start + WINDOW_MS * 2 ** (turn - 1)),
    ),
  },
  "rate-first-window-only": {
    bug: "The limit holds in a key's first window only.",
    kills: ["RATE-WINDOW-60-SECONDS"],
    change: withRateLimiter((_limits, clock) =>
      windows(clock, BUDGET, (start, turn) => turn > 1 || clock.now() >= start + WINDOW_MS),
    ),
  },
  "rate-sliding": {
    bug: "The window slides: each request counts for 60 seconds of its own.",
    kills: ["RATE-WINDOW-60-SECONDS"],
    change: withRateLimiter((_limits, clock) => {
      const times = new Map<string, number[]>();
      return (key) => {
        const recent = (times.get(key) ?? []).filter((time) => clock.now() < time + WINDOW_MS);
        times.set(key, recent);
        if (recent.length >= BUDGET) return REFUSED_MS;
        recent.push(clock.now());
        return 0;
      };
    }),
  },
  "rate-token-bucket": {
    bug: "The budget refills by two requests a second instead of whole at the window's end.",
    kills: ["RATE-WINDOW-60-SECONDS"],
    change: withRateLimiter((_limits, clock) => {
      const buckets = new Map<string, { tokens: number; at: number }>();
      return (key) => {
        const now = clock.now();
        const bucket = buckets.get(key) ?? { tokens: BUDGET, at: now };
        const tokens = Math.min(BUDGET, bucket.tokens + ((now - bucket.at) * BUDGET) / WINDOW_MS);
        const passes = tokens >= 1;
        buckets.set(key, { tokens: passes ? tokens - 1 : tokens, at: now });
        return passes ? 0 : REFUSED_MS;
      };
    }),
  },
  "rate-refused-prolong": {
    bug: "A refused request starts the window again, so a caller that retries stays locked out.",
    kills: ["RATE-WINDOW-60-SECONDS"],
    change: withRateLimiter((_limits, clock) => {
      const known = new Map<string, { start: number; count: number }>();
      return (key) => {
        const window = known.get(key);
        if (window === undefined || clock.now() >= window.start + WINDOW_MS) {
          known.set(key, { start: clock.now(), count: 1 });
          return 0;
        }
        window.count += 1;
        if (window.count <= BUDGET) return 0;
        window.start = clock.now();
        return REFUSED_MS;
      };
    }),
  },
  "rate-timeout-uncounted": {
    bug: "Requests whose body ran out of time are not counted by the rate limit.",
    kills: ["RATE-REFUSALS-COUNT"],
    change: uncounted("request_timeout"),
  },
  "rate-window-moves": {
    bug: "Every accepted request opens the window anew: a caller that asks every two seconds is shut out for good.",
    kills: ["RATE-WINDOW-60-SECONDS"],
    change: withRateLimiter((limits, clock) => {
      const windows = new Map<string, { count: number; openedAt: number }>();
      return (key) => {
        const known = windows.get(key);
        const isOpen = known !== undefined && clock.now() - known.openedAt < limits.windowMs;
        const count = isOpen ? known.count : 0;
        if (count >= limits.requestsPerWindow) return (known?.openedAt ?? 0) + limits.windowMs - clock.now();
        windows.set(key, { count: count + 1, openedAt: clock.now() });
        return 0;
      };
    }),
  },
});
