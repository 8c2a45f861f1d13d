/** What a run may take: time from the first start on, waits for answers that do not come, and starts of a target that dies. */
import { availableParallelism, loadavg } from "node:os";
import { durationInWords } from "../foundation/duration.ts";
import type { CaseResult } from "../harness/result.ts";

/** The default, in estimates: a target with faults takes longer, and so does a machine that gets busy. */
const ESTIMATES = 3;
/** The shortest and the longest default, ms. */
const [LEAST_MS, MOST_MS] = [300_000, 3_600_000];
/** A run that takes this many estimates, and this much longer, is said to be slow, ms. */
const [SLOW_ESTIMATES, SLOW_MS] = [1.5, 15_000];
/** Waits for answers that do not come, in request timeouts: ten minutes with the default of 20 s. */
const WAITS = 30;
/** A shorter wait may be due to a busy machine, however short the target file's request timeout is, ms. */
const LEAST_TIMEOUT_MS = 5000;
/** A case whose requests were all answered may take this long on a busy machine, ms. */
const BUSY_MS = 20_000;
/** After so many cases that a missing answer has kept waiting the user is told, while the run goes on. */
const TOLD_AFTER = 3;
/** A target that dies more often in one run is given up. */
const MAX_RESTARTS = 12;

/** In a container the load may be that of a whole, much larger machine. */
const MOST_SLOWNESS = 10;

/** How many times as long as on an idle machine a request may take now, by the machine's load, to which the run adds; 1 to 10. */
export const slowness = (): number =>
  Math.min(MOST_SLOWNESS, Math.max(1, (loadavg()[0] ?? 0) / availableParallelism()));

interface Limits {
  readonly requestTimeoutMs: number;
  /** What the user allows, ms; without it the estimate decides. */
  readonly maxMs?: number | undefined;
  /** What earlier runs of the same command have taken of it, ms. */
  readonly spentMs?: number | undefined;
  /** How many times as long waits may be altogether; 1 by default. */
  readonly slowness?: (() => number) | undefined;
  /** Hears what the user should know of a run that takes longer than it should. */
  readonly onNotice?: ((notice: string) => void) | undefined;
}

export class Budget {
  readonly #ending = new AbortController();
  readonly #started: number;
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #timeoutMs: number;
  readonly #onNotice: (notice: string) => void;
  readonly #slowness: () => number;
  #limitMs: number | undefined;
  #waitedMs = 0;
  /** Of that what cases took in which a request had no answer. */
  #silentMs = 0;
  #silentCases = 0;
  #restarts = 0;

  constructor({ requestTimeoutMs, maxMs, spentMs = 0, onNotice = () => {}, slowness: slow = () => 1 }: Limits) {
    this.#onNotice = onNotice;
    this.#slowness = slow;
    this.#timeoutMs = Math.max(requestTimeoutMs, LEAST_TIMEOUT_MS);
    this.#started = performance.now() - spentMs;
    if (maxMs !== undefined) this.#endAfter(maxMs);
  }

  /** Sets, once, how long the run probably takes, ms; `onNotice` tells when it takes much longer. */
  estimated(ms: number): void {
    if (this.#limitMs === undefined) this.#endAfter(Math.min(Math.max(ESTIMATES * ms, LEAST_MS), MOST_MS));
    const slow = () => this.#onNotice(`slower than estimated: ends after ${this.limit} at the latest`);
    this.#after(Math.max(SLOW_ESTIMATES * ms, ms + SLOW_MS), slow);
  }

  get limit(): string {
    return durationInWords(this.#limitMs ?? 0);
  }

  isShorterThan(ms: number): boolean {
    return this.#limitMs !== undefined && this.#limitMs < ms;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** That the time is over, in words; undefined while there is some. */
  get over(): string | undefined {
    return this.signal.aborted ? `the run's time budget of ${this.limit} is over` : undefined;
  }

  get #mostWaitsMs(): number {
    return Math.round(WAITS * this.#slowness()) * this.#timeoutMs;
  }

  /** Why no other case is tried, where the target has kept the run waiting too long. */
  get exhausted(): string | undefined {
    if (this.#waitedMs <= this.#mostWaitsMs) return undefined;
    return `not tried: a run waits at most ${this.#mostWaitsMs / 1000} s altogether for answers that do not come, and earlier cases used them up`;
  }

  /** How the target kept the run waiting, where most of that went into requests without an answer. */
  get waitedInVain(): string | undefined {
    if (this.exhausted === undefined || 2 * this.#silentMs < this.#mostWaitsMs) return undefined;
    return `no whole answer to the requests of cases that took ${this.#mostWaitsMs / 1000} s altogether`;
  }

  /**
   * Counts the time of a case that did not pass and took at least one timeout as waiting, unless it has failed by answers:
   * such a case looks on behind its failure. One whose requests were all answered may be slow as the machine is, and
   * counts when it took long. `plannedMs`: waits that the case planned.
   */
  count({ outcome, ms, exchanges }: CaseResult, plannedMs: number): void {
    const isSilent = exchanges.some(({ answer }) => answer === undefined);
    const isAnswered = (outcome === "fail" || outcome === "warn") && exchanges.length > 0 && !isSilent;
    const leastMs = isSilent ? this.#timeoutMs : Math.max(this.#timeoutMs, BUSY_MS);
    if (isAnswered || outcome === "pass" || outcome === "not-applicable" || ms - plannedMs < leastMs) return;
    this.waited(ms - plannedMs);
    if (!isSilent) return;
    this.#silentMs += ms - plannedMs;
    this.#silentCases += 1;
    if (this.#silentCases === TOLD_AFTER)
      this.#onNotice(
        `${TOLD_AFTER} cases have waited for an answer that did not come, ${durationInWords(this.#timeoutMs)} or longer each: ` +
          `the target may hang; the run waits ${durationInWords(this.#mostWaitsMs)} at most for such answers`,
      );
  }

  waited(ms: number): void {
    this.#waitedMs += ms;
  }

  /** Counts one more start of a target that died; why there is none any more, or undefined. */
  restart(): string | undefined {
    if (this.#restarts >= MAX_RESTARTS)
      return `the target had to be started again ${MAX_RESTARTS} times in this run: it is given up`;
    this.#restarts += 1;
    return undefined;
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
