/** Compares two reports case by case: what broke, what was fixed, and what cannot be compared. */
import type { Report, ReportedResult } from "./report.ts";

/** In the order of what matters most. */
export const changeKinds = ["broken", "changed", "unjudged", "otherwise", "fixed", "new", "gone"] as const;
export type ChangeKind = (typeof changeKinds)[number];

export const changeTitles: Readonly<Record<ChangeKind, string>> = {
  broken: "Broken: fails now, and did not before",
  changed: "Changed: fails in another way",
  unjudged: "No longer judged",
  otherwise: "Ends otherwise",
  fixed: "Fixed: passes now, and did not before",
  new: "New cases",
  gone: "Cases that are gone",
};

/** `before` is absent for a new case, `after` for one that is gone. */
export interface Change {
  readonly id: string;
  readonly before?: ReportedResult;
  readonly after?: ReportedResult;
}

export interface ReportDiff {
  readonly changes: Readonly<Record<ChangeKind, readonly Change[]>>;
  /** Cases that ended alike. */
  readonly same: number;
  /** Why the reports cannot be compared without thought, in sentences. */
  readonly notes: readonly string[];
}

export function diffReports(before: Report, after: Report): ReportDiff {
  const old = byId(before);
  const changes: Record<ChangeKind, Change[]> = {
    broken: [],
    changed: [],
    unjudged: [],
    otherwise: [],
    fixed: [],
    new: [],
    gone: [],
  };
  let same = 0;
  const current = byId(after);
  for (const [id, now] of current) {
    const then = old.get(id);
    const kind = then === undefined ? "new" : kindOf(then, now);
    if (kind === undefined) same += 1;
    else changes[kind].push({ id, after: now, ...(then === undefined ? {} : { before: then }) });
  }
  for (const [id, then] of old) if (!current.has(id)) changes.gone.push({ id, before: then });
  return { changes, same, notes: notesOn(before, after) };
}

/** Results by their case. */
export function byId({ results }: Report): ReadonlyMap<string, ReportedResult> {
  return new Map(results.map((result) => [result.id, result]));
}

/** The target departs from the clause; a baseline may know of it. */
const departs = ({ outcome }: ReportedResult) => outcome === "fail" || outcome === "warn" || outcome === "known";
const isJudged = (result: ReportedResult) => departs(result) || result.outcome === "pass";

function kindOf(before: ReportedResult, after: ReportedResult): ChangeKind | undefined {
  if (departs(after) && !departs(before)) return after.outcome === "known" ? "otherwise" : "broken";
  if (departs(before) && departs(after) && before.signature !== after.signature) return "changed";
  if (departs(before) && after.outcome === "pass") return "fixed";
  if (isJudged(before) && !isJudged(after)) return "unjudged";
  return before.outcome === after.outcome ? undefined : "otherwise";
}

function notesOn(before: Report, after: Report): string[] {
  const facts: readonly (readonly [string, (report: Report) => string])[] = [
    ["target", ({ target }) => target.name],
    ["profile", ({ profile, profileHash }) => `${profile} ${profileHash}`],
    ["suite", ({ suite }) => `${suite.version} ${suite.catalogue}`],
    ["clock", ({ clock }) => clock],
    ["selection of cases", ({ selection }) => JSON.stringify(selection)],
    ["capabilities", ({ capabilities }) => capabilities.toSorted().join(", ")],
  ];
  const differing = facts.flatMap(([name, of]) => {
    return of(before) === of(after) ? [] : [`another ${name}: ${of(before)}, then ${of(after)}`];
  });
  const parts = [before, after].filter(({ verdict }) => verdict.partial).length;
  return parts === 0 ? differing : [...differing, "a report of a part of the suite says nothing of the other cases"];
}
