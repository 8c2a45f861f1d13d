/** Section 8: the rate limit and its window gone wrong, and each number of section 8 by each of several sizes. */
import { reject } from "../../../../plugin/answer.ts";
import { alsoLetsIn, withLimits, withNotes, withPart, withStage } from "../../changes.ts";
import { WINDOW_MS } from "../../../interface/limits.ts";
import { BUDGET, limiting, refusesBeyond, byClock, uncounted } from "../../limit-books.ts";
import { gap, late } from "../../runtime.ts";
import { allFailing, failing, failingEach, type Change, type Subject } from "../../subject.ts";

const REFUSED_MS = 1000;
const HOUR_MS = 3_600_000;
const minuteOf = (ms: number): number => Math.floor(ms / 60_000) % 60;

/** Another rate limiter: from what it kept of a key, what it keeps from now on, and the milliseconds to wait or 0. */
const limiter = <Kept>(take: (now: number, kept?: Kept) => readonly [kept: Kept, waitMs: number]): Change =>
  withPart("createRateLimiter", () => (_limits, clock) => {
    const keys = new Map<string, Kept>();
    const takeOf = (key: string): number => {
      const [kept, waitMs] = take(clock.now(), keys.get(key));
      keys.set(key, kept);
      return waitMs;
    };
    return { trackedKeys: 0, take: takeOf };
  });

/** Another Retry-After of the rate limit's refusals. */
const retryAfter = (told: (waitMs: number, now: number) => string): Change =>
  withStage("rate-limit", ({ context, request }) => {
    const waitMs = context.rateLimiter.take(context.parts.clientKey(context.route, request));
    if (waitMs === 0) return undefined;
    return reject("rate_limited", { headers: { "Retry-After": told(waitMs, context.clock.now()) } });
  });

const slides = limiter<readonly number[]>((now, times = []) => {
  const recent = times.filter((time) => now < time + WINDOW_MS);
  return recent.length >= BUDGET ? [recent, REFUSED_MS] : [[...recent, now], 0];
});

const tokenBucket = limiter<{ tokens: number; at: number }>((now, { tokens, at } = { tokens: BUDGET, at: now }) => {
  const left = Math.min(BUDGET, tokens + ((now - at) * BUDGET) / WINDOW_MS);
  return left >= 1 ? [{ tokens: left - 1, at: now }, 0] : [{ tokens: left, at: now }, REFUSED_MS];
});

/** Of each minute of the hour a key has one count for good. */
const byMinute = limiter((now, counts: readonly number[] = []) => {
  const minute = minuteOf(now);
  const count = (counts[minute] ?? 0) + 1;
  return [Object.assign([...counts], { [minute]: count }), count > BUDGET ? REFUSED_MS : 0];
});

/** Of one action a route lets in so many. */
const fewOf = (action: string, most: number): Change =>
  withNotes<number>(action, ({ context: { route }, right }, counts) => {
    const count = (counts.get(route.id) ?? 0) + 1;
    counts.set(route.id, count);
    return count > most ? reject("rate_limited") : right();
  });

/** The window begins anew with such a request, by its place in the count. */
const beginsAnew = (isMeant: (count: number) => boolean): Change =>
  limiting(() => ({
    counted: (window, now) => {
      if (isMeant(window.count)) window.start = now;
    },
  }));

/** Too little, or in a second window only, which ends later than a case waits in real time. */
const unseenInRealTime = failing({
  "LIMITS-4096-KEYS: A window is known by the minute of the hour": limiting(() => ({
    lengthMs: () => 2 * HOUR_MS,
    isOver: ({ start }, now) => minuteOf(start) !== minuteOf(now),
  })),
  "LIMITS-4096-KEYS: More than 1,000 keys are swept by their age, 60 ms in place of 60 seconds": limiting(() => ({
    opens: (key, { windows }) => {
      const { start: now = 0 } = windows.get(key) ?? {};
      if (windows.size > 1000) for (const [other, { start }] of windows) if (now - start >= 60) windows.delete(other);
    },
  })),
  "RATE-WINDOW-60-SECONDS: Requests are counted by the minute of the hour, and no count is dropped": byMinute,
  "RATE-121-REFUSED: Beyond twice the budget each request begins the window anew": beginsAnew(
    (count) => count > 2 * BUDGET,
  ),
  "RATE-121-REFUSED: Windows follow each other without a gap, also while nobody asks, so each quiet one gives a request":
    limiting(() => ({
      lengthMs: () => Infinity,
      isOver: (window, now) => {
        if (now < window.start + WINDOW_MS) return false;
        Object.assign(window, { start: window.start + WINDOW_MS, count: 0 });
        return false;
      },
    })),
  "RATE-WINDOW-60-SECONDS: A window ends ten milliseconds early": withLimits({ windowMs: 59_990 }),
  "RATE-WINDOW-60-SECONDS: Every second window of a key lasts 30 seconds": limiting(() => ({
    lengthMs: (turn) => (turn % 2 === 0 ? WINDOW_MS / 2 : WINDOW_MS),
  })),
  "BODY-15-SECONDS: A body has 14.99 seconds": withLimits({ bodyMs: 14_990 }),
});

/** The cases that measure a number of section 8, its name and value, what differs from it by one unit, and how to change it. */
const swept: readonly (readonly [string, string, number, number, (value: number) => Change])[] = [
  ["RATE-120-ACCEPTED", "requests in a window", 120, 1, (requestsPerWindow) => withLimits({ requestsPerWindow })],
  ["RATE-WINDOW-60-SECONDS", "window", 60_000, 1000, (windowMs) => withLimits({ windowMs })],
  ["RATE-WINDOW-60-SECONDS", "window by the clock 17300 ms late", 60_000, 1000, (ms) => byClock(ms, 17_300)],
  ["IN-FLIGHT-9-REFUSED", "in flight", 8, 1, (inFlight) => withLimits({ inFlight })],
  ["BODY-262145-LENGTH, BODY-262145-CHUNKED", "body size", 262_144, 1, (bodyBytes) => withLimits({ bodyBytes })],
  ["BODY-15-SECONDS", "body time", 15_000, 1000, (bodyMs) => withLimits({ bodyMs })],
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

const sweep = swept.flatMap(([kills, name, stated, unit, change]) => {
  const valueOf = (size: string) =>
    sizes[size]?.(name === "body size" && size.startsWith("minus") ? LEAST_BYTES : stated, unit) ?? stated;
  // Of a small number several sizes are the same.
  const sizeOf = new Map(Object.keys(sizes).map((size) => [valueOf(size), size]));
  return failingEach([...sizeOf], ([value, size]) => [`${kills}: Sweep ${name} ${size}`, change(value)]);
});

export const rateWindow: readonly Subject[] = [
  ...failing({
    "RATE-EVERY-REQUEST: A request that opens a window and is refused for its secret is not counted": uncounted(
      "unauthorized",
      (count) => count === 1,
    ),
    "RATE-WINDOW-60-SECONDS: The window slides: each request counts for 60 seconds of its own": slides,
    "RATE-WINDOW-60-SECONDS: The budget refills by two requests a second instead of whole at the window's end":
      tokenBucket,
    "LIMITS-4096-KEYS: The rate limit has room for 409 keys, and forgets the oldest for a new one": withLimits({
      trackedKeys: 409,
    }),
    "LIMITS-4096-KEYS: The rate limit has room for 409 keys, and refuses all others": refusesBeyond(409),
    "GAP-REFUSED-RATE, RATE-RETRY-AFTER: Retry-After is given in milliseconds": retryAfter(String),
    "RATE-RETRY-AFTER: Retry-After is the moment at which the window ends, in seconds since 1970": retryAfter(
      (waitMs, now) => `${Math.ceil((now + waitMs) / 1000)}`,
    ),
    "RATE-RETRY-AFTER: Retry-After is a text for people": retryAfter((waitMs) => `${Math.ceil(waitMs / 1000)} seconds`),
    "GAP-RETRY-AFTER: Retry-After is one second, whatever is left of the window": retryAfter(() => "1"),
    "GAP-RETRY-AFTER: Retry-After is rounded down": retryAfter((waitMs) => `${Math.max(1, Math.floor(waitMs / 1000))}`),
    "GAP-RETRY-AFTER: Retry-After is a whole window, whatever is left of it": retryAfter(() => "60"),
    "ALWAYS-WITHIN-LIMITS: A used-up budget refuses no request that is longer than 64 bytes": alsoLetsIn(
      "rate-limit",
      ({ headers }) => Number(headers["content-length"]) > 64,
    ),
    "ALWAYS-WITHIN-LIMITS: Of create_flow a route lets in 30, of the other actions 120": fewOf("create_flow", 30),
    "RATE-121-REFUSED: Refused requests are counted as well, in eight bits": limiting(() => ({
      counted: (window) => {
        window.count &= 255;
      },
    })),
    [`RATE-121-REFUSED: The rate limit looks at the count and raises it ${late}`]: limiting(() => ({
      counted: (window) => {
        window.count -= 1;
        void gap().then(() => (window.count += 1));
      },
    })),
  }),
  ...unseenInRealTime.map((subject) => ({ ...subject, drivenOnly: true })),
  ...allFailing("RATE-WINDOW-60-SECONDS", beginsAnew, {
    "A refused request starts the window again, so a caller that retries stays locked out": (count) => count > BUDGET,
    "Every accepted request opens the window anew: a caller that asks every two seconds is shut out for good": (
      count,
    ) => count <= BUDGET,
  }),
  ...allFailing("RATE-WINDOW-60-SECONDS", limiting, {
    "The limit holds in a key's first window only": () => ({ lengthMs: (turn) => (turn > 1 ? 0 : WINDOW_MS) }),
    "A window ends when its key has been silent for five seconds": () => ({
      isOver: ({ asked }, now) => now - asked >= 5000,
    }),
    "What is tidied up when a new key comes in are budgets of half a minute": () => ({
      opens: (key, { windows }) => {
        const now = windows.get(key)?.start ?? 0;
        for (const [other, { start }] of windows) if (now - start > WINDOW_MS / 2) windows.delete(other);
      },
    }),
    "From a key's second window on the budget is 119: its first request counts twice": () => ({
      budget: (turn) => (turn > 1 ? BUDGET - 1 : BUDGET),
    }),
  }),
  // Secrets, say, can be guessed without end.
  ...failingEach(
    [
      "too_many_in_flight",
      "unauthorized",
      "invalid_request",
      "request_timeout",
      "not_found",
      "revision_conflict",
      "persist_failed",
    ] as const,
    (code) => [
      `PROPERTY-LIMITS: Requests that are answered with ${code} are not counted by the rate limit`,
      uncounted(code),
    ],
  ),
  ...failingEach(["terminal", "mutation_rejected", "task_not_created"] as const, (code) => [
    `IN-FLIGHT-FREED: A request that is answered with ${code} gives its part of the budget back`,
    uncounted(code),
  ]),
  ...sweep,
];
