/** Keeps a page within its size: which cases it shows whole, which in brief, and how many it leaves out; how long its lists are. */
import type { VNode } from "preact";
import type { Report } from "../report.ts";
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

/** Items of a list, and twice as many characters of a text, in the first try; half of it in each further one. */
const MOST = 1000;

/** The value with at most so many items of each list, fields of each object, and twice as many characters of each text. */
function shortened<T>(value: T, most: number): T {
  const walk = (item: unknown): unknown => {
    if (typeof item === "string") return item.length <= 2 * most ? item : `${item.slice(0, 2 * most).trimEnd()}...`;
    if (Array.isArray(item)) return item.slice(0, most).map(walk);
    if (typeof item !== "object" || item === null) return item;
    return Object.fromEntries(
      Object.entries(item)
        .slice(0, most)
        .map(([key, each]) => [key, walk(each)]),
    );
  };
  return walk(value) as T;
}

/**
 * The report, its lists and texts shortened until it `fits`: anybody may have written it. What is left says so. Results
 * are not counted: the list of cases has its own way to stay within the page.
 */
export function fitted(report: Report, fits: (shorter: Report) => boolean): Report {
  if (JSON.stringify({ ...report, results: [] }).length < MOST * MOST && fits(report)) return report;
  for (let most = MOST; ; most = Math.floor(most / 2)) {
    const { results, ...rest } = report;
    const short = { ...shortened(rest, most), results: results.map((result) => shortened(result, most)) };
    const note = `this page shows ${most} items of each list, the report has more`;
    const shorter = { ...short, notes: [note, ...short.notes.slice(0, most)] };
    if (most <= 1 || fits(shorter)) return shorter;
  }
}
