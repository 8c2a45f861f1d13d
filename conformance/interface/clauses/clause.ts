/** A rule of the interface. */
import type { Level } from "../level.ts";

export interface Clause {
  /** Section of the interface that states it. */
  readonly section: number;
  /** `must`: stated as a rule. `should`: follows for safe operation. `gap`: left open, bound by a profile only. */
  readonly level: Level;
  readonly text: string;
  /** Why no case can judge it from outside. */
  readonly excluded?: string | undefined;
}

/** The clauses of a section, by level and id. */
export function section<Must extends string = never, Should extends string = never, Gap extends string = never>(
  number: number,
  texts: {
    readonly must?: Readonly<Record<Must, string>>;
    readonly should?: Readonly<Record<Should, string>>;
    readonly gap?: Readonly<Record<Gap, string>>;
  },
): Record<Must | Should | Gap, Clause> {
  const levels = Object.entries(texts) as [Level, Readonly<Record<string, string>>][];
  const clauses = levels.flatMap(([level, ofLevel]) =>
    Object.entries(ofLevel).map(([id, text]): [string, Clause] => [id, { section: number, level, text }]),
  );
  return Object.fromEntries(clauses) as Record<Must | Should | Gap, Clause>;
}
