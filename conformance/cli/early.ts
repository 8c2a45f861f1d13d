/** Failures while the run goes on: told as they come (`--live`), and counted until they are enough (`--bail`). */
import type { CaseResult } from "../harness/result.ts";
import { neutral } from "../http/exchange.ts";
import type { Redact } from "../http/redact.ts";
import { failOnLevels, type FailOn } from "../report/verdict.ts";
import { oneLine } from "../report/wrap.ts";
import type { RunContext } from "../run/context.ts";

/** A line for a failure or a warning; undefined for any other result. */
function liveLine({ id, outcome, expected = "", actual = "" }: CaseResult, redact: Redact): string | undefined {
  if (outcome !== "fail" && outcome !== "warn") return undefined;
  const said = neutral(redact(`expected ${expected}; got ${actual}`), 1000);
  return oneLine(`${outcome.toUpperCase().padEnd(9)} ${neutral(id)}: ${said}`);
}

/** What tells a live run's failures, beside what shows its progress. */
export function withLive(
  shown: Pick<RunContext, "onResult" | "onNotice">,
  live: boolean,
  redact: () => Redact,
): RunContext["onResult"] {
  return (result, total) => {
    shown.onResult(result, total);
    const line = live ? liveLine(result, redact()) : undefined;
    if (line !== undefined) shown.onNotice(line);
  };
}

interface BailOptions {
  /** How many failures are enough; undefined for no end. */
  readonly after: number | undefined;
  readonly failOn: FailOn;
  /** Cases with an entry in the baseline: whether that holds is known only when the run is over. */
  readonly known: readonly string[];
}

export class Bail {
  readonly #enough = new AbortController();
  readonly #options: BailOptions;
  #failures = 0;

  constructor(options: BailOptions) {
    this.#options = options;
  }

  /** Aborted once there are enough failures that turn the run red. */
  get signal(): AbortSignal {
    return this.#enough.signal;
  }

  count({ id, outcome, level }: CaseResult): void {
    const { after, failOn, known } = this.#options;
    const red = failOnLevels.slice(0, failOnLevels.indexOf(failOn) + 1).includes(level);
    if (after === undefined || !red || known.includes(id) || (outcome !== "fail" && outcome !== "warn")) return;
    this.#failures += 1;
    if (this.#failures >= after) this.#enough.abort(new Error("enough failures"));
  }

  /** Why the run ended early. */
  get reason(): string | undefined {
    const { after } = this.#options;
    if (!this.signal.aborted) return undefined;
    return `stopped after ${after === 1 ? "the first failure" : `${after} failures`}, as --bail asked`;
  }
}
