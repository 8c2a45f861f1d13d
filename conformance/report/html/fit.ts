/** Keeps a page within its size: which cases it shows whole, which in brief, and how many it leaves out. */
import type { VNode } from "preact";
import { textOf } from "./markup.ts";
import type { Shown } from "./case-entry.ts";

/** Bytes of a whole page. */
export const PAGE_LIMIT = 1_500_000;
/** The rest of the page: banner, pictures, clauses, notes, stderr. */
const WHOLE_LIMIT = 1_150_000;
const BRIEF_LIMIT = 1_300_000;

/** `shown` is in the order of what matters most; `draw` makes the markup of one case. */
export function fit(
  all: readonly Omit<Shown, "detail">[],
  draw: (shown: Shown) => VNode,
): { shown: readonly Shown[]; brief: number; leftOut: number } {
  const shown: Shown[] = [];
  let [size, brief] = [0, 0];
  for (const one of all) {
    const sizes = (["whole", "brief"] as const).map((detail) => {
      // A brief one is measured only when the whole one is too large.
      const limit = detail === "whole" ? WHOLE_LIMIT : BRIEF_LIMIT;
      return { detail, limit, sizeOf: () => Buffer.byteLength(textOf(draw({ ...one, detail }))) };
    });
    const found = sizes.find(({ limit, sizeOf }) => size < limit && size + sizeOf() <= limit);
    if (found === undefined) break;
    size += found.sizeOf();
    if (found.detail === "brief") brief += 1;
    shown.push({ ...one, detail: found.detail });
  }
  return { shown, brief, leftOut: all.length - shown.length };
}
