/** Section 8: the rate limit and its window gone wrong, and each number of section 8 by each of several sizes. */
import { reject } from "../../../../plugin/answer.ts";
import type { Code } from "../../../../plugin/codes.ts";
import type { Clock } from "../../../../plugin/ports.ts";
import { withLimits, withPart, withStage } from "../../changes.ts";
import { gap, late } from "../../runtime.ts";
import { BUDGET, limiting, WINDOW_MS, byClock } from "../../limit-books.ts";
import { allFailing, failing, type Change, type Subject, idOf } from "../../subject.ts";

const REFUSED_MS = 1000;

/** Another rate limiter: returns 0 to accept a key, or the milliseconds to wait. */
const limiter = (make: (clock: Clock) => (key: string) => number): Change =>
  withPart("createRateLimiter", () => (_limits, clock) => ({ take: make(clock), trackedKeys: 0 }));

const slides = limiter((clock) => {
  const times = new Map<string, number[]>();
  return (key) => {
    const recent = (times.get(key) ?? []).filter((time) => clock.now() < time + WINDOW_MS);
    times.set(key, recent);
    if (recent.length >= BUDGET) return REFUSED_MS;
    recent.push(clock.now());
    return 0;
  };
});

const tokenBucket = limiter((clock) => {
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

/** Requests that are answered with this code are taken off the window's count again. */
const uncounted = (code: Code): Change =>
  limiting(() => ({
    answered: (answered, key, { windows }) => {
      const window = windows.get(key);
      if (window !== undefined && answered === code) window.count -= 1;
    },
  }));

/** Too little, or in a second window only, which ends later than a case waits in real time. */
const unseenInRealTime = [
  ...failing({
    "RATE-WINDOW-60-SECONDS: A window ends ten milliseconds early": withLimits({ windowMs: 59_990 }),
  }),
  ...allFailing("RATE-WINDOW-60-SECONDS", limiting, {
    "Every window of a key lasts twice as long as the one before": () => ({
      lengthMs: (turn) => WINDOW_MS * 2 ** (turn - 1),
    }),
  }),
  ...allFailing("RATE-WINDOW-60-SECONDS, RATE-RETRY-AFTER", limiting, {
    "Every second window of a key lasts 30 seconds": () => ({
      lengthMs: (turn) => (turn % 2 === 0 ? WINDOW_MS / 2 : WINDOW_MS),
    }),
  }),
];

type Swept = readonly [
  name: string,
  stated: number,
  unit: number,
  kills: readonly string[],
  change: (value: number) => Change,
];

/** The numbers of section 8, what differs from each by one unit, and the cases that measure it. */
const swept: readonly Swept[] = [
  ["requests in a window", 120, 1, ["RATE-120-ACCEPTED"], (requestsPerWindow) => withLimits({ requestsPerWindow })],
  ["window", 60_000, 1000, ["RATE-WINDOW-60-SECONDS"], (windowMs) => withLimits({ windowMs })],
  ...[0, 17_300, 41_900].map((late): Swept => {
    return [`window by the clock ${late} ms late`, 60_000, 1000, ["RATE-WINDOW-60-SECONDS"], (ms) => byClock(ms, late)];
  }),
  ["in flight", 8, 1, ["IN-FLIGHT-9-REFUSED"], (inFlight) => withLimits({ inFlight })],
  ["body size", 262_144, 1, ["BODY-262145-LENGTH", "BODY-262145-CHUNKED"], (bodyBytes) => withLimits({ bodyBytes })],
  ["body time", 15_000, 1000, ["BODY-15-SECONDS"], (bodyMs) => withLimits({ bodyMs })],
];

/** The least body size that is lawful: 256 KB may be this many bytes. */
const LEAST_BYTES = 256_000;

/** Each size, below from the least lawful value and above from the largest; a per cent of a small number is less than one. */
const sizes: Record<string, (stated: number, unit: number) => number> = {
  "minus 50 per cent": (stated) => 0.5 * stated,
  "minus 10 per cent": (stated) => Math.floor(0.9 * stated),
  "minus 1 unit": (stated, unit) => stated - unit,
  "plus 1 unit": (stated, unit) => stated + unit,
  "plus 10 per cent": (stated) => Math.ceil(1.1 * stated),
  "plus 100 per cent": (stated) => 2 * stated,
};

const sweep: readonly Subject[] = swept.flatMap(([name, stated, unit, kills, change]) => {
  const valueOf = (size: string) =>
    sizes[size]?.(name === "body size" && size.startsWith("minus") ? LEAST_BYTES : stated, unit) ?? stated;
  // Of a small number several sizes are the same.
  const sizeOf = new Map(Object.keys(sizes).map((size) => [valueOf(size), size]));
  return [...sizeOf].map(([value, size]) => ({ id: idOf(`sweep ${name} ${size}`), kills, change: change(value) }));
});

export const rateWindow: readonly Subject[] = [
  ...failing({
    "RATE-WINDOW-60-SECONDS: The window slides: each request counts for 60 seconds of its own": slides,
    "RATE-WINDOW-60-SECONDS: The budget refills by two requests a second instead of whole at the window's end":
      tokenBucket,
    "RATE-RETRY-AFTER: Retry-After is given in milliseconds": withStage("rate-limit", ({ context, request }) => {
      const waitMs = context.rateLimiter.take(context.parts.clientKey(context.route, request));
      return waitMs === 0 ? undefined : reject("rate_limited", { headers: { "Retry-After": String(waitMs) } });
    }),
    [`RATE-121-REFUSED: The rate limit looks at the count and raises it ${late}`]: limiting(() => ({
      counted: (window) => {
        window.count -= 1;
        void gap().then(() => (window.count += 1));
      },
    })),
  }),
  ...unseenInRealTime.map((subject) => ({ ...subject, drivenOnly: true })),
  ...allFailing("RATE-WINDOW-60-SECONDS", limiting, {
    "The limit holds in a key's first window only": () => ({ lengthMs: (turn) => (turn > 1 ? 0 : WINDOW_MS) }),
    "A refused request starts the window again, so a caller that retries stays locked out": () => ({
      counted: (window, now) => {
        if (window.count > BUDGET) window.start = now;
      },
    }),
    "Every accepted request opens the window anew: a caller that asks every two seconds is shut out for good": () => ({
      counted: (window, now) => {
        if (window.count <= BUDGET) window.start = now;
      },
    }),
    "A window ends when its key has been silent for five seconds": () => ({
      isOver: ({ asked }, now) => now - asked >= 5000,
    }),
    "Every second window of a key lets 240 requests in": () => ({
      budget: (turn) => (turn % 2 === 0 ? 2 * BUDGET : BUDGET),
    }),
    "From a key's second window on the budget is 119: its first request counts twice": () => ({
      budget: (turn) => (turn > 1 ? BUDGET - 1 : BUDGET),
    }),
  }),
  // Secrets, say, can be guessed without end.
  ...(
    ["unauthorized", "invalid_request", "request_timeout", "not_found", "revision_conflict", "persist_failed"] as const
  ).flatMap((code) =>
    failing({
      [`PROPERTY-LIMITS: Requests that are answered with ${code} are not counted by the rate limit`]: uncounted(code),
    }),
  ),
  ...sweep,
];
