/** The error for faults of the kit or its surroundings, never of the target. */
import { availableParallelism, loadavg } from "node:os";
import type { Exchange } from "./exchange.ts";

/** The kit failed, or met a limit that no case provoked; the result is `error`, not `fail`. */
export class HarnessError extends Error {
  readonly exchanges: readonly Exchange[];

  constructor(reason: string, exchanges: readonly Exchange[] = []) {
    super(reason);
    this.exchanges = exchanges;
  }
}

/** The answers to one case came to more than is read of them. */
export class TooMuchAnswered extends HarnessError {}

/** The machine was too slow for what depends on time: the result is `unreached`, and tells how busy the machine was. */
export class OutOfTime extends HarnessError {
  constructor(reason: string) {
    super(`${reason} (load average ${loadavg()[0]?.toFixed(0)} on ${availableParallelism()} cores)`);
  }
}
