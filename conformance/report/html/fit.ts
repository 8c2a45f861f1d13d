/** Keeps a page within its size: which cases it shows whole, which in brief, and how many it leaves out. */
import type { VNode } from "preact";
import type { Entry } from "./case-entry.ts";
import { textOf } from "./markup.ts";

/** Of the room for all cases, what they may take in whole; behind it the rest is brief. */
const WHOLE = 0.92;

/** `all` is in the order of what matters most; `draw` makes the markup of one case; `room` is in bytes. */
export function fit(
  all: readonly Omit<Entry, "detail">[],
  draw: (entry: Entry) => VNode,
  room: number,
): { entries: readonly Entry[]; leftOut: number } {
  const entries: Entry[] = [];
  let size = 0;
  const add = (entry: Entry, limit: number): boolean => {
    if (size >= limit) return false;
    const more = Buffer.byteLength(textOf(draw(entry)));
    if (size + more > limit) return false;
    size += more;
    entries.push(entry);
    return true;
  };
  for (const item of all) {
    if (!add({ ...item, detail: "whole" }, WHOLE * room) && !add({ ...item, detail: "brief" }, room)) break;
  }
  return { entries, leftOut: all.length - entries.length };
}
