/** Section 8: the window of the rate limit gone wrong. */
import { withLimits } from "../../changes.ts";
import { byClock, uncounted, withRateLimiter, withWindows } from "../../limit-changes.ts";
import { subjectsOf, type Subject } from "../../subject.ts";

const [BUDGET, WINDOW_MS, REFUSED_MS] = [120, 60_000, 1000];

/** Requests that are answered with such a code are not counted: secrets, say, can be guessed without end. */
const uncountedAnswers: readonly Subject[] = (
  ["unauthorized", "invalid_request", "request_timeout", "not_found", "revision_conflict", "persist_failed"] as const
).map((code) => ({
  id: `rate-${code.replaceAll("_", "-")}-uncounted`,
  bug: `Requests that are answered with ${code} are not counted by the rate limit.`,
  kills: ["PROPERTY-LIMITS"],
  change: uncounted(code),
}));

const windows: readonly Subject[] = subjectsOf<Subject>({
  "rate-window-59990": {
    bug: "A window ends ten milliseconds early.",
    kills: ["RATE-WINDOW-60-SECONDS"],
    change: withLimits({ windowMs: 59_990 }),
  },
  "rate-window-grows": {
    bug: "Every window of a key lasts twice as long as the one before.",
    kills: ["RATE-WINDOW-60-SECONDS"],
    change: withWindows({ lengthMs: (turn) => WINDOW_MS * 2 ** (turn - 1) }),
  },
  "rate-first-window-only": {
    bug: "The limit holds in a key's first window only.",
    kills: ["RATE-WINDOW-60-SECONDS"],
    change: withWindows({ lengthMs: (turn) => (turn > 1 ? 0 : WINDOW_MS) }),
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
    change: withWindows({ restartedBy: "refused" }),
  },
  "rate-window-ended-by-silence": {
    bug: "A window ends when its key has been silent for five seconds.",
    kills: ["RATE-WINDOW-60-SECONDS"],
    change: withWindows({ idleMs: 5000 }),
  },
  "rate-second-windows-double": {
    bug: "Every second window of a key lets 240 requests in.",
    kills: ["RATE-WINDOW-60-SECONDS"],
    change: withWindows({ budget: (turn) => (turn % 2 === 0 ? 2 * BUDGET : BUDGET) }),
  },
  "rate-later-windows-119": {
    bug: "From a key's second window on the budget is 119: its first request counts twice.",
    kills: ["RATE-WINDOW-60-SECONDS"],
    change: withWindows({ budget: (turn) => (turn > 1 ? BUDGET - 1 : BUDGET) }),
  },
  "rate-second-windows-short": {
    bug: "Every second window of a key lasts 30 seconds.",
    kills: ["RATE-WINDOW-60-SECONDS", "RATE-RETRY-AFTER"],
    change: withWindows({ lengthMs: (turn) => (turn % 2 === 0 ? WINDOW_MS / 2 : WINDOW_MS) }),
  },
  "rate-window-by-clock": {
    bug: "Windows end with the minute, though the profile says that a key's first request opens them.",
    kills: ["RATE-WINDOW-OPENED"],
    change: byClock(WINDOW_MS),
  },
  "rate-window-moves": {
    bug: "Every accepted request opens the window anew: a caller that asks every two seconds is shut out for good.",
    kills: ["RATE-WINDOW-60-SECONDS"],
    change: withWindows({ restartedBy: "accepted" }),
  },
});

export const rateWindow: readonly Subject[] = [...windows, ...uncountedAnswers];
