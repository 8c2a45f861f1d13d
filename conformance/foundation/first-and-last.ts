const FIRST = 2;

/** At most so many: the first two and the last ones. */
export const firstAndLast = <T>(all: readonly T[], most: number): readonly T[] =>
  all.length <= most ? all : [...all.slice(0, FIRST), ...all.slice(FIRST - most)];
