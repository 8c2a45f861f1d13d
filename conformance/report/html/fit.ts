/** Keeps a page within its size: which cases it shows whole, which in brief, and how many it leaves out; how long its lists are. */
import type { VNode } from "preact";
import type { Report, ReportedResult } from "../report.ts";
import { caseEntry, hasEvidence, type Entry } from "./case-entry.ts";
import { textOf } from "./markup.ts";

/** Of the room for all cases, what they may take in whole; behind it the rest is brief. */
const WHOLE = 0.92;

interface Drawn {
  readonly views: ReadonlyMap<ReportedResult, VNode>;
  /** How many are shown without their evidence. */
  readonly brief: number;
}

/** `all` is in the order of what matters most: what the room, in bytes, does not hold any more has no view. */
export function drawnWithin(room: number, all: readonly Omit<Entry, "isBrief">[], report: Report): Drawn {
  const views = new Map<ReportedResult, VNode>();
  let [size, brief] = [0, 0];
  const isDrawn = (entry: Entry, limit: number): boolean => {
    const view = caseEntry(entry, report);
    const more = Buffer.byteLength(textOf(view));
    if (size + more > limit) return false;
    size += more;
    views.set(entry.result, view);
    return true;
  };
  for (const entry of all) {
    if (isDrawn({ ...entry, isBrief: false }, WHOLE * room)) continue;
    if (!isDrawn({ ...entry, isBrief: true }, room)) break;
    if (hasEvidence(entry.result)) brief += 1;
  }
  return { views, brief };
}

/** Bytes of a report, its results aside, that a page shows as it is; a run writes less. */
const LONG = 500_000;
/** Of one that somebody else wrote: items of a list, fields of an object, and characters of a text. */
const [MOST, LONGEST] = [100, 200];

function shortened<T>(value: T): T {
  const walk = (item: unknown): unknown => {
    if (typeof item === "string") return item.length <= LONGEST ? item : `${item.slice(0, LONGEST).trimEnd()}...`;
    if (Array.isArray(item)) return item.slice(0, MOST).map(walk);
    if (typeof item !== "object" || item === null) return item;
    const fields = Object.entries(item).slice(0, MOST);
    return Object.fromEntries(fields.map(([key, each]) => [key, walk(each)]));
  };
  return walk(value) as T;
}

/** The report with what it says beside its results shortened, if that is very long; a note says so. */
export function fitted(report: Report): Report {
  const { results, ...rest } = report;
  if (JSON.stringify(rest).length < LONG) return report;
  const short = shortened(rest);
  const note = `this page shows ${MOST} items of each list, the report has more`;
  return { ...short, results, notes: [note, ...short.notes] };
}
