/** The interface's own figures for both limits (section 8). */
export const REQUESTS_PER_WINDOW = 120;
/** The fixed window of the rate limit, ms. */
export const WINDOW_MS = 60_000;
/** Requests of one key at the same time. */
export const IN_FLIGHT = 8;
