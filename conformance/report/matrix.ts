/** Several reports side by side: cases by targets or versions, in the sections of the interface. */
import type { Outcome } from "../harness/result.ts";
import { byId } from "./diff.ts";
import type { Report, ReportedResult } from "./report.ts";
import { sectionOf, sectionTitle } from "./section.ts";

export interface MatrixRow {
  readonly id: string;
  readonly title: string;
  /** One for each report; undefined where it has no such case. */
  readonly cells: readonly (ReportedResult | undefined)[];
  /** Not every report says the same. */
  readonly differs: boolean;
}

export interface MatrixSection {
  readonly title: string;
  /** How many cases it has, listed or not. */
  readonly cases: number;
  /** The cases to list. */
  readonly rows: readonly MatrixRow[];
  /** How they ended, for each report. */
  readonly outcomes: readonly (readonly Outcome[])[];
}

export interface Matrix {
  readonly columns: readonly { readonly name: string; readonly report: Report }[];
  readonly sections: readonly MatrixSection[];
}

/** `differences`: lists only cases that do not end alike in all reports. */
export function matrixOf(reports: readonly Report[], differences = false): Matrix {
  const found = reports.map(byId);
  const ids = [...new Set(found.flatMap((results) => [...results.keys()]))];
  const sections = new Map<number, MatrixRow[]>();
  for (const id of ids) {
    const cells = found.map((results) => results.get(id));
    const [first] = cells.filter((cell) => cell !== undefined);
    if (first === undefined) continue;
    const row = { id, title: first.title, cells, differs: new Set(cells.map((cell) => said(cell))).size > 1 };
    const section = sectionOf(first);
    const rows = sections.get(section) ?? [];
    sections.set(section, rows);
    rows.push(row);
  }
  return {
    columns: reports.map((report, index) => ({ name: nameOf(report, index, reports), report })),
    sections: [...sections]
      .toSorted(([a], [b]) => a - b)
      .map(([section, rows]) => ({
        title: sectionTitle(section),
        cases: rows.length,
        rows: rows.filter(({ differs }) => differs || !differences),
        outcomes: reports.map((_, column) => rows.flatMap(({ cells }) => cells[column]?.outcome ?? [])),
      })),
  };
}

/** Two failures are alike only with the same signature. */
const said = (cell: ReportedResult | undefined): string => `${cell?.outcome ?? ""} ${cell?.signature ?? ""}`;

/** What tells the reports apart: the target, or else the suite's version, or else the time. */
function nameOf(report: Report, index: number, all: readonly Report[]): string {
  const names: readonly ((one: Report) => string)[] = [
    ({ target }) => target.name,
    ({ target, suite }) => `${target.name}, suite ${suite.version}`,
    ({ target, startedAt }) => `${target.name}, ${startedAt.slice(0, 16).replace("T", " ")}`,
  ];
  const telling = names.find((name) => new Set(all.map(name)).size === all.length);
  return telling === undefined ? `${report.target.name}, report ${index + 1}` : telling(report);
}

/** How many cases passed of those that were judged, such as `12/13`. */
export function passedIn({ outcomes }: MatrixSection, column: number): string {
  const judged = (outcomes[column] ?? []).filter((outcome) => outcome !== "not-applicable");
  return `${judged.filter((outcome) => outcome === "pass").length}/${judged.length}`;
}
