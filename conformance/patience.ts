/** Bounds a run whose target keeps it waiting: one budget of time for everything that is waited for in vain. */
import type { CaseResult } from "./result.ts";

/** In whole request time-outs: ten minutes with the default of 20 s. */
const BUDGET_TIMEOUTS = 30;

export class Patience {
  readonly #requestTimeoutMs: number;
  #spentMs = 0;

  constructor(requestTimeoutMs: number) {
    this.#requestTimeoutMs = requestTimeoutMs;
  }

  /** Why nothing more is tried; undefined while there is patience left. */
  get lost(): string | undefined {
    const budgetMs = BUDGET_TIMEOUTS * this.#requestTimeoutMs;
    if (this.#spentMs <= budgetMs) return undefined;
    return `not tried: before it, the target had kept the suite waiting in vain for ${budgetMs / 1000} s in all`;
  }

  /** A case that came to nothing after as long as one request may take has waited in vain. `lets`: what it lets pass, ms. */
  judged({ outcome, ms }: CaseResult, lets: number): void {
    const inVain = outcome !== "pass" && outcome !== "not-applicable" && ms - lets >= this.#requestTimeoutMs;
    if (inVain) this.spend(ms - lets);
  }

  /** Counts `ms` that went by for nothing. */
  spend(ms: number): void {
    this.#spentMs += ms;
  }
}
