/** A rule of the interface, once, in our own words. */
import type { Level } from "../level.ts";

export interface Clause {
  /** Section of the interface that states it. */
  readonly section: number;
  /** `must`: stated as a rule. `should`: follows for safe operation. `gap`: left open, bound by a profile only. */
  readonly level: Level;
  readonly text: string;
  /** Why no case can judge it from outside. */
  readonly excluded?: string;
}

/** Keeps the ids as literal types and checks each entry. */
export function clauses<const T extends Record<string, Clause>>(entries: T): T {
  return entries;
}
