/** Bounds a run whose target keeps it waiting: one budget of time for everything that is waited for in vain. */
import type { CaseResult } from "../harness/result.ts";

/** In whole waits: ten minutes with the default request time-out of 20 s. */
const BUDGET_WAITS = 30;
/** Less than this may be a busy machine, however impatient the target file is, ms. */
const LEAST_WAIT_MS = 5000;

export class Patience {
  /** A wait that counts, ms. */
  readonly #waitMs: number;
  #spentMs = 0;

  constructor(requestTimeoutMs: number) {
    this.#waitMs = Math.max(requestTimeoutMs, LEAST_WAIT_MS);
  }

  /** Why nothing more is tried; undefined while there is patience left. */
  get lost(): string | undefined {
    const budgetMs = BUDGET_WAITS * this.#waitMs;
    if (this.#spentMs <= budgetMs) return undefined;
    return `not tried: before it, the target had kept the suite waiting in vain for ${budgetMs / 1000} s in all`;
  }

  /** A case that came to nothing after as long as one request may take has waited in vain. `lets`: what it lets pass, ms. */
  judged({ outcome, ms }: CaseResult, lets: number): void {
    const inVain = outcome !== "pass" && outcome !== "not-applicable" && ms - lets >= this.#waitMs;
    if (inVain) this.spend(ms - lets);
  }

  /** Counts `ms` that went by for nothing. */
  spend(ms: number): void {
    this.#spentMs += ms;
  }
}
