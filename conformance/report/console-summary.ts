/** The end of the report: what is red in which section, how much was judged, what to do next, and the verdict last. */
import type { Clause } from "../interface/clauses/clause.ts";
import { ledger } from "../interface/clauses/index.ts";
import { sections } from "../interface/sections.ts";
import { capped, countedIn, named, nextCommand } from "./console-trouble.ts";
import type { Trouble } from "./causes.ts";
import { label } from "./failure.ts";
import type { Paint, Style } from "./paint.ts";
import { partOf } from "./part.ts";
import type { Report, ReportedResult } from "./report.ts";
import { shellLines } from "./shell-lines.ts";
import { wrap } from "./wrap.ts";
import { judgedNothing, NOTHING_JUDGED } from "./verdict.ts";

const NOTE_LINES = 8;
const severity = ["fail", "warn", "error", "unreached"];

/** A line or two for each section that is not green; nothing where there is only one case to name. */
export function sectionsBlock(troubles: readonly Trouble[], paint: Paint, verbose: boolean): string[] {
  const all = troubles.flatMap(({ failing, open }) => [...failing, ...open].flat());
  if (all.length < 2) return [];
  const bySection = new Map<number, ReportedResult[]>();
  for (const result of all) {
    const section = (ledger as Readonly<Record<string, Clause>>)[result.clauses[0] ?? ""]?.section ?? 0;
    bySection.set(section, [...(bySection.get(section) ?? []), result]);
  }
  const lines = [...bySection]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([section, results]) => {
      const what = `${section} ${sections[section] ?? "Other"}: ${countedIn(results)}`;
      const redFirst = results.toSorted((a, b) => severity.indexOf(a.outcome) - severity.indexOf(b.outcome));
      return verbose ? wrap(`${what}: ${redFirst.map(({ id }) => id).join(", ")}`, "  ", 4) : named(what, redFirst, 2);
    });
  return [paint("bold", "by section"), ...lines];
}

export function summary(report: Report, troubles: readonly Trouble[], paint: Paint, files: readonly string[]) {
  const { verdict, results } = report;
  const counts = Object.entries(verdict.counts)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`);
  const notes = report.notes.flatMap((note) => wrap(note, "note: ", 6));
  const lines = [...capped(notes, NOTE_LINES), ...tablesLine(results)];
  lines.push(
    `${results.length} ${results.length === 1 ? "case" : "cases"} in ${(report.ms / 1000).toFixed(1)} s: ${counts.join(", ")}`,
  );
  const { seeds = [] } = report.depth ?? {};
  if (seeds.length > 1) lines.push(...capped(wrap(`the properties looked with ${seedsIn(seeds)}`, "", 2), 4));
  if (report.clock === "driven") lines.push("the clock was driven: judge a release with the real one");
  if (verdict.partial) {
    lines.push(...wrap(`partial: ${partOf(report)}; no release verdict`, "", 2));
  }
  if (judgedNothing(verdict.counts)) lines.push(NOTHING_JUDGED);
  if (files.length > 0) lines.push(...wrap(`wrote ${files.join(", ")}`, "", 2));
  const next = nextCommand(troubles, report);
  if (next !== undefined) lines.push(...shellLines(next, label("next").trimStart(), 10));
  const style: Style = verdict.judgement === "conformant" ? "green" : "red";
  return [...lines, paint(style, verdictLine(report))];
}

/** The verdict with its exit code, on one line. */
export function verdictLine({ verdict, profile }: Report): string {
  const partial = verdict.partial ? "partial: " : "";
  return `${partial}${verdict.judgement.toUpperCase()} with profile ${profile} (exit ${verdict.exitCode})`;
}

/** How much of their tables the table-driven cases sent. A property's table has cells that no flow can reach. */
function tablesLine(results: readonly ReportedResult[]): string[] {
  const tables = results.flatMap(({ id, visits }) => (visits && !id.startsWith("PROPERTY-") ? [visits] : []));
  if (tables.length === 0) return [];
  const cells = tables.flatMap((table) => Object.values(table).flatMap((row) => Object.values(row)));
  const visited = cells.filter((count) => count > 0).length;
  return [
    `tables: ${visited} of ${cells.length} cells visited, in ${tables.length === 1 ? "1 case" : `${tables.length} cases`}`,
  ];
}

/** `20 seeds: 1 to 12, 14 to 21`. */
function seedsIn(seeds: readonly number[]): string {
  const ranges: string[] = [];
  let first = seeds[0] ?? 0;
  for (const [index, seed] of seeds.entries()) {
    if (seeds[index + 1] === seed + 1) continue;
    ranges.push(first === seed ? `${seed}` : `${first} to ${seed}`);
    first = seeds[index + 1] ?? 0;
  }
  return `${seeds.length} seeds: ${ranges.join(", ")}`;
}
