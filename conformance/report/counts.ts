/** How many results ended in which way. */
import type { Outcome } from "../harness/result.ts";

/** What needs attention first. */
export const outcomeOrder = ["fail", "warn", "unreached", "error", "known", "pass", "not-applicable"] as const;

export type Counts = Readonly<Partial<Record<Outcome, number>>>;

export function countsOf(results: readonly { readonly outcome: Outcome }[]): Counts {
  const counts: Partial<Record<Outcome, number>> = {};
  for (const outcome of outcomeOrder) {
    const count = results.filter((result) => result.outcome === outcome).length;
    if (count > 0) counts[outcome] = count;
  }
  return counts;
}

/** `12 fail, 3 warn, 25 unreached`. */
export function countsInWords(counts: Counts): string {
  return Object.entries(counts)
    .flatMap(([outcome, count]) => (count > 0 ? [`${count} ${outcome}`] : []))
    .join(", ");
}

/** `A, B and 3 more`. */
export function firstNames(names: readonly (string | number)[], most: number): string {
  const more = names.length - most;
  return names.slice(0, most).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
