/** The error for faults of the kit or its surroundings, never of the target. */
import type { Exchange } from "./exchange.ts";

/** The kit failed, or met a limit that no case provoked; the result is `error`, not `fail`. */
export class HarnessError extends Error {
  readonly exchanges: readonly Exchange[];

  constructor(reason: string, exchanges: readonly Exchange[] = []) {
    super(reason);
    this.exchanges = exchanges;
  }
}
