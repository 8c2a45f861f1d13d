/** Bounds a run whose target does not answer, or dies: one budget of time for all waits in vain, and one of starts. */
import type { CaseResult } from "../harness/result.ts";

/** In request timeouts: ten minutes with the default of 20 s. */
const BUDGET_TIMEOUTS = 30;
/** A shorter wait may be due to a busy machine, however short the target file's request timeout is, ms. */
const LEAST_TIMEOUT_MS = 5000;
/** A target that dies more often in one run is given up. */
const MAX_RESTARTS = 12;

export class Patience {
  readonly #timeoutMs: number;
  #spentMs = 0;
  /** Of that what cases took in which a request had no answer. */
  #silentMs = 0;
  #restarts = 0;

  constructor(requestTimeoutMs: number) {
    this.#timeoutMs = Math.max(requestTimeoutMs, LEAST_TIMEOUT_MS);
  }

  get #budgetMs(): number {
    return BUDGET_TIMEOUTS * this.#timeoutMs;
  }

  /** Why no other case is tried; undefined while budget is left. */
  get exhausted(): string | undefined {
    if (this.#spentMs <= this.#budgetMs) return undefined;
    return `not tried: a run waits at most ${this.#budgetMs / 1000} s altogether for answers that do not come, and earlier cases used them up`;
  }

  /** How the target kept the run waiting, where most of a budget that is used up went into requests without an answer. */
  get waitedInVain(): string | undefined {
    if (this.exhausted === undefined || 2 * this.#silentMs < this.#budgetMs) return undefined;
    return `no whole answer to the requests of cases that took ${this.#budgetMs / 1000} s altogether`;
  }

  /**
   * Spends the time of a case that did not pass and took at least one timeout, unless it has failed by answers: such a case
   * looks on behind its failure. `plannedMs`: waits that the case planned.
   */
  count({ outcome, ms, exchanges }: CaseResult, plannedMs: number): void {
    const isSilent = exchanges.some(({ answer }) => answer === undefined);
    const isAnswered = (outcome === "fail" || outcome === "warn") && exchanges.length > 0 && !isSilent;
    if (isAnswered || outcome === "pass" || outcome === "not-applicable" || ms - plannedMs < this.#timeoutMs) return;
    this.spend(ms - plannedMs);
    if (isSilent) this.#silentMs += ms - plannedMs;
  }

  spend(ms: number): void {
    this.#spentMs += ms;
  }

  /** Counts one more start of a target that died; why there is none any more, or undefined. */
  restart(): string | undefined {
    if (this.#restarts >= MAX_RESTARTS)
      return `the target had to be started again ${MAX_RESTARTS} times in this run: it is given up`;
    this.#restarts += 1;
    return undefined;
  }
}
