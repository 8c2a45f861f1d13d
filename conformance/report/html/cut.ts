/** Bounds on what a page shows: a report may come from a file that anybody wrote. */

/** The text, or its beginning with a note of how long it is. */
export function cutText(text: string, characters: number): string {
  if (text.length <= characters) return text;
  return `${text.slice(0, characters).replace(/\p{Cs}$/u, "")}... (cut: ${text.length} characters)`;
}

/** The first items, and how many are left out. */
export function firstOf<T>(items: readonly T[], count: number): { shown: readonly T[]; more: number } {
  return { shown: items.slice(0, count), more: Math.max(0, items.length - count) };
}
