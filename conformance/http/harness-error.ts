/** The one error that blames the kit or its surroundings, never the target. */
import type { Exchange } from "./exchange.ts";

/** The kit itself went wrong, or met a limit that no case provoked: never the target's failure. */
export class HarnessError extends Error {
  readonly exchanges: readonly Exchange[];

  constructor(reason: string, exchanges: readonly Exchange[] = []) {
    super(reason);
    this.exchanges = exchanges;
  }
}
