/** Compares reports case by case: of two by what changed, of several by the sections of the interface. */
import { grouped } from "../foundation/grouped.ts";
import { minuteOf } from "./facts.ts";
import { signaturesOf } from "./findings.ts";
import { safeReport } from "./read.ts";
import type { Report, ReportedResult } from "./report.ts";
import { standingOf } from "./verdict.ts";
import { sectionOf, sectionTitle } from "./way.ts";

/** From the first report to the last, in the order of what matters most. */
const changeTitles = {
  broken: "Broken: fails now, and did not before",
  changed: "Changed: fails in another way",
  unjudged: "No longer judged",
  otherwise: "Ends otherwise",
  fixed: "Fixed: passes now, and did not before",
  new: "New cases",
  gone: "Cases that are gone",
} as const;
export type ChangeKind = keyof typeof changeTitles;

export interface ComparedRow {
  readonly id: string;
  readonly title: string;
  /** One for each report; undefined where it has no such case. */
  readonly cells: readonly (ReportedResult | undefined)[];
  readonly differs: boolean;
  readonly change: ChangeKind | undefined;
}

export type By = "change" | "section";

export type Comparison = ReturnType<typeof compareReports>;
export type Group = Comparison["groups"][number];

/** No string of a report gets into a comparison as it is. `differences`: lists only cases that do not end alike in all reports. */
export function compareReports(given: readonly Report[], by: By, differences = false) {
  const reports = given.map(safeReport);
  const byId = reports.map(({ results }) => new Map(results.map((result) => [result.id, result])));
  const ids = new Set(byId.flatMap((results) => [...results.keys()]));
  const rows = [...ids].map((id) => {
    const cells = byId.map((results) => results.get(id));
    const title = cells.find((cell) => cell !== undefined)?.title ?? "";
    const change = changeOf(cells[0], cells.at(-1));
    return { id, title, cells, differs: new Set(cells.map(said)).size > 1, change };
  });
  const groups = by === "section" ? bySection(rows) : byChange(rows);
  const differing = rows.filter(({ differs }) => differs).length;
  const changes = groups.map(([, all]) => `${all.length} ${all[0]?.change}`);
  return {
    by,
    differences,
    columns: reports.map((report, index) => ({ name: nameOf(report, index, reports), report })),
    groups: groups.map(([title, all]) => ({
      title,
      cases: all.length,
      rows: all.filter(({ differs }) => differs || !differences),
      outcomes: reports.map((_, column) => all.flatMap(({ cells }) => cells[column]?.outcome ?? [])),
    })),
    differing,
    /** Groups by `change`: how many cases each has, and how many ended alike. Empty by `section`. */
    counts: by === "section" ? [] : [...changes, `${rows.length - differing} alike`],
    /** Why the reports cannot be compared without thought, in sentences. Empty by `section`. */
    notes: by === "section" ? [] : notesOn(reports),
  };
}

type Grouped = readonly (readonly [title: string, rows: readonly ComparedRow[]])[];

function bySection(rows: readonly ComparedRow[]): Grouped {
  const sections = grouped(rows, ({ cells }) => sectionOf(cells.find((cell) => cell !== undefined) ?? { clauses: [] }));
  return [...sections].toSorted(([a], [b]) => a - b).map(([section, all]) => [sectionTitle(section), all]);
}

function byChange(rows: readonly ComparedRow[]): Grouped {
  const changes = grouped(rows, ({ change }) => change);
  return (Object.keys(changeTitles) as ChangeKind[])
    .filter((kind) => changes.has(kind))
    .map((kind) => [changeTitles[kind], changes.get(kind) ?? []]);
}

/** What two results are compared by: two failures are alike only with the same findings. */
const said = (cell: ReportedResult | undefined): string => `${cell?.outcome ?? ""} ${found(cell ?? {})}`;
const found = (cell: Pick<ReportedResult, "findings">): string => signaturesOf(cell).toSorted().join("\n");

const changes: Readonly<Record<string, ChangeKind>> = {
  "passes, departs": "broken",
  "is open, departs": "broken",
  "departs, passes": "fixed",
  "departs, is open": "unjudged",
  "passes, is open": "unjudged",
};

function changeOf(before: ReportedResult | undefined, after: ReportedResult | undefined): ChangeKind | undefined {
  if (before === undefined || after === undefined) return before === after ? undefined : after ? "new" : "gone";
  const change = changes[`${standingOf(before)}, ${standingOf(after)}`];
  if (change !== undefined) return change === "broken" && after.outcome === "known" ? "otherwise" : change;
  if (standingOf(before) === "departs" && found(before) !== found(after)) return "changed";
  return before.outcome === after.outcome ? undefined : "otherwise";
}

export function detailsOf({ change, cells }: ComparedRow): readonly (readonly [string, string])[] {
  const [before, after] = [cells[0], cells.at(-1)];
  const { expected, actual = "", reason = "" } = after ?? {};
  const isFailing = (change === "broken" || change === "new") && expected !== undefined;
  const details = {
    ...(change === "changed" && { before: before?.actual ?? "", now: actual }),
    ...(change === "unjudged" && { why: reason }),
    ...(isFailing && { expected, actual }),
  };
  return Object.entries(details);
}

/** What tells the reports apart: the target, or else the suite's version, or else the time. */
function nameOf(report: Report, index: number, all: readonly Report[]): string {
  const names: readonly ((one: Report) => string)[] = [
    ({ target }) => target.name,
    ({ target, suite }) => `${target.name}, suite ${suite.version}`,
    (one) => `${one.target.name}, ${minuteOf(one)}`,
  ];
  const telling = names.find((name) => new Set(all.map(name)).size === all.length);
  return telling === undefined ? `${report.target.name}, report ${index + 1}` : telling(report);
}

function notesOn(reports: readonly Report[]): string[] {
  const facts: readonly (readonly [string, (report: Report) => string])[] = [
    ["target", ({ target }) => target.name],
    ["profile", ({ profile, profileHash }) => `${profile} ${profileHash}`],
    ["suite", ({ suite }) => `${suite.version} ${suite.catalogue}`],
    ["clock", ({ clock }) => clock],
    ["selection of cases", ({ selection }) => JSON.stringify(selection)],
    ["capabilities", ({ capabilities }) => capabilities.toSorted().join(", ")],
  ];
  const differing = facts.flatMap(([name, of]) => {
    const values = [...new Set(reports.map(of))];
    return values.length === 1 ? [] : [`another ${name}: ${values.join(", then ")}`];
  });
  const isPart = reports.some(({ verdict }) => verdict.partial);
  return isPart ? [...differing, "a report of a part of the suite says nothing of the other cases"] : differing;
}

/** How many cases passed of those that were judged, such as `12/13`. */
export function passedIn({ outcomes }: Group, column: number): string {
  const judged = (outcomes[column] ?? []).filter((outcome) => standingOf({ outcome }) !== "is open");
  return `${judged.filter((outcome) => outcome === "pass").length}/${judged.length}`;
}
