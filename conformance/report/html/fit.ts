/** Keeps a page within its size: which cases it shows whole, which in brief, and how many it leaves out. */
import type { VNode } from "preact";
import type { Shown } from "./case-entry.ts";
import { textOf } from "./markup.ts";

/** Of the room for all cases, what they may take in whole; behind it the rest is brief. */
const WHOLE = 0.92;

/** `all` is in the order of what matters most; `draw` makes the markup of one case; `room` is in bytes. */
export function fit(
  all: readonly Omit<Shown, "detail">[],
  draw: (shown: Shown) => VNode,
  room: number,
): { shown: readonly Shown[]; leftOut: number } {
  const shown: Shown[] = [];
  let size = 0;
  const add = (one: Shown, limit: number): boolean => {
    if (size >= limit) return false;
    const more = Buffer.byteLength(textOf(draw(one)));
    if (size + more > limit) return false;
    size += more;
    shown.push(one);
    return true;
  };
  for (const one of all) {
    if (!add({ ...one, detail: "whole" }, WHOLE * room) && !add({ ...one, detail: "brief" }, room)) break;
  }
  return { shown, leftOut: all.length - shown.length };
}
