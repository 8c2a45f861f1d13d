/** Section 8: the window of the rate limit gone wrong. */
import { withLimits } from "../../changes.ts";
import { byClock, uncounted, withRateLimiter, withWindows } from "../../limit-changes.ts";
import { failing, type Subject } from "../../subject.ts";

const [BUDGET, WINDOW_MS, REFUSED_MS] = [120, 60_000, 1000];

const slides = withRateLimiter((_limits, clock) => {
  const times = new Map<string, number[]>();
  return (key) => {
    const recent = (times.get(key) ?? []).filter((time) => clock.now() < time + WINDOW_MS);
    times.set(key, recent);
    if (recent.length >= BUDGET) return REFUSED_MS;
    recent.push(clock.now());
    return 0;
  };
});

const tokenBucket = withRateLimiter((_limits, clock) => {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return (key) => {
    const now = clock.now();
    const bucket = buckets.get(key) ?? { tokens: BUDGET, at: now };
    const tokens = Math.min(BUDGET, bucket.tokens + ((now - bucket.at) * BUDGET) / WINDOW_MS);
    const passes = tokens >= 1;
    buckets.set(key, { tokens: passes ? tokens - 1 : tokens, at: now });
    return passes ? 0 : REFUSED_MS;
  };
});

/** They show in a second window only, which ends later than a case waits in real time. */
export const secondWindows: readonly Subject[] = [
  ...failing("RATE-WINDOW-60-SECONDS", withWindows, {
    "Every window of a key lasts twice as long as the one before": { lengthMs: (turn) => WINDOW_MS * 2 ** (turn - 1) },
  }),
  ...failing(["RATE-WINDOW-60-SECONDS", "RATE-RETRY-AFTER"], withWindows, {
    "Every second window of a key lasts 30 seconds": {
      lengthMs: (turn) => (turn % 2 === 0 ? WINDOW_MS / 2 : WINDOW_MS),
    },
  }),
];

export const rateWindow: readonly Subject[] = [
  ...secondWindows,
  ...failing("RATE-WINDOW-60-SECONDS", withWindows, {
    "The limit holds in a key's first window only": { lengthMs: (turn) => (turn > 1 ? 0 : WINDOW_MS) },
    "A refused request starts the window again, so a caller that retries stays locked out": { restartedBy: "refused" },
    "Every accepted request opens the window anew: a caller that asks every two seconds is shut out for good": {
      restartedBy: "accepted",
    },
    "A window ends when its key has been silent for five seconds": { idleMs: 5000 },
    "Every second window of a key lets 240 requests in": {
      budget: (turn) => (turn % 2 === 0 ? 2 * BUDGET : BUDGET),
    },
    "From a key's second window on the budget is 119: its first request counts twice": {
      budget: (turn) => (turn > 1 ? BUDGET - 1 : BUDGET),
    },
  }),
  ...failing("RATE-WINDOW-60-SECONDS", {
    "A window ends ten milliseconds early": withLimits({ windowMs: 59_990 }),
    "The window slides: each request counts for 60 seconds of its own": slides,
    "The budget refills by two requests a second instead of whole at the window's end": tokenBucket,
  }),
  ...failing("RATE-WINDOW-OPENED", {
    "Windows end with the minute, though the profile says that a key's first request opens them": byClock(WINDOW_MS),
  }),
  // Secrets, say, can be guessed without end.
  ...(
    ["unauthorized", "invalid_request", "request_timeout", "not_found", "revision_conflict", "persist_failed"] as const
  ).flatMap((code) =>
    failing("PROPERTY-LIMITS", {
      [`Requests that are answered with ${code} are not counted by the rate limit`]: uncounted(code),
    }),
  ),
];
