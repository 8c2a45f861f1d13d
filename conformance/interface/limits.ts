/** The interface's own figures (section 8), and what a measure of each may come to. */
export const REQUESTS_PER_WINDOW = 120;
/** The fixed window of the rate limit, ms. */
export const WINDOW_MS = 60_000;
/** Requests of one key at the same time. */
export const IN_FLIGHT = 8;
/** What a whole body has to arrive, ms. */
export const BODY_MS = 15_000;
/** Of each of the two limits. */
export const TRACKED_KEYS = 4096;
/** How near a measure on a real clock comes, ms. */
export const REAL_SLACK_MS = 300;

/** Not less than `least` and, where that is known, not more than `most`. */
export interface Interval {
  readonly least: number;
  readonly most?: number | undefined;
}

const exactly = (value: number): Interval => ({ least: value, most: value });

/** Every number of section 8 that a run measures, by what it is of. "256 KB" may be 256,000 bytes or 262,144. */
export const limits = {
  "requests in a window": { stated: "120", unit: "", allowed: exactly(REQUESTS_PER_WINDOW) },
  window: { stated: "60 s", unit: "ms", allowed: exactly(WINDOW_MS) },
  "tracked keys": { stated: "up to 4096", unit: "", allowed: { least: TRACKED_KEYS } },
  "in flight": { stated: "8", unit: "", allowed: exactly(IN_FLIGHT) },
  "body size": { stated: "256 KB", unit: "bytes", allowed: { least: 256_000, most: 262_144 } },
  "body time": { stated: "15 s", unit: "ms", allowed: exactly(BODY_MS) },
} as const satisfies Record<string, { stated: string; unit: "" | "ms" | "bytes"; allowed: Interval }>;

export type LimitName = keyof typeof limits;
export const limitNames = Object.keys(limits) as [LimitName, ...LimitName[]];
