import type { Selection } from "../run/selection.ts";

/** The part of the suite that the options ask for. */
export function selectionOf({ cases, quick = false }: { cases?: readonly string[]; quick?: boolean }): Selection {
  return { ...(cases && { cases: [...cases] }), quick };
}
