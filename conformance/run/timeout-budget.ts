/** Bounds a run whose target does not answer: one budget of time for all timeouts together. */
import type { CaseResult } from "../harness/result.ts";

/** In request timeouts: ten minutes with the default of 20 s. */
const BUDGET_TIMEOUTS = 30;
/** A shorter wait may be due to a busy machine, however short the target file's request timeout is, ms. */
const LEAST_TIMEOUT_MS = 5000;

export class TimeoutBudget {
  readonly #timeoutMs: number;
  #spentMs = 0;

  constructor(requestTimeoutMs: number) {
    this.#timeoutMs = Math.max(requestTimeoutMs, LEAST_TIMEOUT_MS);
  }

  /** Why no other case is tried; undefined while budget is left. */
  get exhausted(): string | undefined {
    const budgetMs = BUDGET_TIMEOUTS * this.#timeoutMs;
    if (this.#spentMs <= budgetMs) return undefined;
    return `not tried: a run waits at most ${budgetMs / 1000} s altogether for answers that do not come, and earlier cases used them up`;
  }

  /** Spends the time of a case that did not pass and took at least one timeout. `plannedMs`: waits that the case planned. */
  count({ outcome, ms }: CaseResult, plannedMs: number): void {
    const inVain = outcome !== "pass" && outcome !== "not-applicable" && ms - plannedMs >= this.#timeoutMs;
    if (inVain) this.spend(ms - plannedMs);
  }

  spend(ms: number): void {
    this.#spentMs += ms;
  }
}
