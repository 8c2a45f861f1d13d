/** The time that a whole run may take, from the first start on: told, and kept. */
import { inWords } from "../foundation/duration.ts";

/** The default, in estimates: a target with faults takes longer, and so does a machine that gets busy. */
const ESTIMATES = 3;
/** The shortest and the longest default, ms. */
const [LEAST_MS, MOST_MS] = [300_000, 3_600_000];
/** A run that takes this many estimates, and this much longer, is said to be slow, ms. */
const [SLOW_ESTIMATES, SLOW_MS] = [1.5, 15_000];

export class TimeBudget {
  readonly #ending = new AbortController();
  readonly #started: number;
  readonly #timers: NodeJS.Timeout[] = [];
  #limitMs: number | undefined;

  /** `maxMs`: what the user allows, of which `spentMs` are over; without it the estimate decides. */
  constructor(maxMs?: number, spentMs = 0) {
    this.#started = performance.now() - spentMs;
    if (maxMs !== undefined) this.#endAfter(maxMs);
  }

  /** Takes in, once, how long the run probably takes; `tell` hears when it takes much longer. */
  estimated(ms: number, tell: (notice: string) => void): void {
    if (this.#limitMs === undefined) this.#endAfter(Math.min(Math.max(ESTIMATES * ms, LEAST_MS), MOST_MS));
    const slow = () => tell(`slower than estimated: ends after ${this.limit} at the latest`);
    this.#after(Math.max(SLOW_ESTIMATES * ms, ms + SLOW_MS), slow);
  }

  /** The limit in words. */
  get limit(): string {
    return inWords(this.#limitMs ?? 0);
  }

  isShorterThan(ms: number): boolean {
    return this.#limitMs !== undefined && this.#limitMs < ms;
  }

  /** Aborted when the time is over. */
  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Why no case is tried any more; undefined while there is time. */
  get over(): string | undefined {
    return this.signal.aborted ? `the run's time budget of ${this.limit} is over` : undefined;
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #endAfter(ms: number): void {
    this.#limitMs = ms;
    this.#after(ms, () => this.#ending.abort(new Error("the time budget of the run is over")));
  }

  /** `ms`: since the run began. */
  #after(ms: number, call: () => void): void {
    // A longer timer would fire at once.
    const longest = 2 ** 31 - 1;
    this.#timers.push(setTimeout(call, Math.min(ms - (performance.now() - this.#started), longest)));
  }
}
