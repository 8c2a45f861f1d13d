/** Suggests names for one with a typing error. */

/**
 * The names near to `word`, best first, at most `count`; none where all are far. Near is a name that begins with the
 * word, or differs from it in two characters or a third of the word's at most, in any case.
 */
export function nearest(word: string, names: readonly string[], count = 3): string[] {
  const wanted = word.toUpperCase();
  const most = Math.max(2, Math.floor(word.length / 3));
  return names
    .filter((name) => name.length >= word.length - most)
    .map((name) => ({ name, distance: distanceOf(wanted, name.toUpperCase()) }))
    .filter(({ distance }) => distance <= most)
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, count)
    .map(({ name }) => name);
}

/** `; nearest: A, B`, or nothing where no name is near. */
export function nearestOf(word: string, names: readonly string[]): string {
  const near = nearest(word, names);
  return near.length === 0 ? "" : `; nearest: ${near.join(", ")}`;
}

/** `; did you mean "run"?`, or nothing where no name is near. */
export function didYouMean(word: string, names: readonly string[]): string {
  const [best] = nearest(word, names, 1);
  return best === undefined ? "" : `; did you mean "${best}"?`;
}

/** A beginning of three characters or more is as near as one wrong character. */
function distanceOf(word: string, name: string): number {
  return word.length >= 3 && name.startsWith(word) ? 1 : editDistance(word, name);
}

/** Levenshtein's distance, one row at a time. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
