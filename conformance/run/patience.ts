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

  /** How the target kept the run waiting, where all of its time is used up. */
  get waitedInVain(): string | undefined {
    return this.exhausted && `no whole answer to requests that waited ${this.#budgetMs / 1000} s altogether`;
  }

  /** Spends the time of a case that did not pass and took at least one timeout. `plannedMs`: waits that the case planned. */
  count({ outcome, ms }: CaseResult, plannedMs: number): void {
    const inVain = outcome !== "pass" && outcome !== "not-applicable" && ms - plannedMs >= this.#timeoutMs;
    if (inVain) this.spend(ms - plannedMs);
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
