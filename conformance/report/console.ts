/** The report for people: what failed and why, what was not covered, and the verdict last. Plain text, 80 columns. */
import { styleText } from "node:util";
import { explanation } from "./failure.ts";
import { partOf } from "./part.ts";
import type { Report, ReportedResult } from "./report.ts";
import { wrap } from "./wrap.ts";
import { judgedNothing, NOTHING_JUDGED } from "./verdict.ts";

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

/** Colour for a terminal, none for a log. */
export function painter(colour: boolean): Paint {
  return (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
}

const INDENT = "  ";
/** More would bury the verdict where few clauses were judged. */
const SHOWN_CLAUSES = 12;

export function renderConsole(report: Report, paint: Paint): string {
  const failing = report.results.filter(({ outcome }) => outcome === "fail" || outcome === "warn");
  const open = report.results.filter(({ outcome }) => outcome === "unreached" || outcome === "error");
  const blocks = [
    ...alike(failing).map((group) => explained(group, report, paint)),
    ...alike(open).map((group) => explained(group, report, paint)),
    baselineBlock(report, paint),
    stderrBlock(report, failing.length + open.length > 0, paint),
    notCoveredBlock(report, paint),
    summary(report, paint),
  ];
  return `${blocks.filter((block) => block !== "").join("\n\n")}\n`;
}

/** Groups results of one cause: failures with one signature and the same clauses, or results left open for one reason. */
function alike(results: readonly ReportedResult[]): ReportedResult[][] {
  const groups = new Map<string, ReportedResult[]>();
  for (const result of results) {
    const { outcome, clauses, signature, reason } = result;
    const cause = JSON.stringify(signature === undefined ? [outcome, reason] : [outcome, clauses, signature]);
    groups.set(cause, [...(groups.get(cause) ?? []), result]);
  }
  return [...groups.values()];
}

/** Explains the first result in full and names the others, which have the same cause. */
export function explained(
  [result, ...others]: readonly ReportedResult[],
  report: Pick<Report, "again" | "depth">,
  paint: Paint,
): string {
  if (result === undefined) return "";
  const lines = [heading(result, paint), ...explanation(result, report)];
  if (others.length > 0) lines.push(`  and ${others.length} more like this`);
  for (const { id, title } of others) lines.push(...wrap(`${id}: ${title}`, "    ", 6));
  return lines.join("\n");
}

function heading({ outcome, id, level }: ReportedResult, paint: Paint): string {
  const style: Style = outcome === "fail" ? "red" : "yellow";
  return `${paint(style, outcome.toUpperCase().padEnd(9))} ${paint("bold", id)} (${level})`;
}

function stderrBlock(report: Report, wanted: boolean, paint: Paint): string {
  const tail = report.stderrTail.trimEnd().split("\n").slice(-10);
  if (!wanted || tail.join("") === "") return "";
  const lines = tail.flatMap((line) => wrap(line, INDENT, INDENT.length + 2));
  return [
    paint("bold", "the target's stderr, last lines (routes named cold have no secret on purpose)"),
    ...lines,
  ].join("\n");
}

const baselineTitles = {
  stale: "no longer fails",
  changed: "fails in another way",
  expired: "is past its expiry date",
} as const;

function baselineBlock({ baseline, results }: Report, paint: Paint): string {
  if (baseline === undefined) return "";
  const lines: string[] = [];
  for (const { case: id, fault, said } of baseline.faults) {
    lines.push(`${paint("red", fault.toUpperCase().padEnd(9))} ${paint("bold", id)} (${baselineTitles[fault]})`);
    lines.push(...wrap(said, INDENT));
  }
  for (const { case: id, reason, link, expires } of baseline.entries) {
    if (results.find((result) => result.id === id)?.outcome !== "known") continue;
    const until = expires === undefined ? "" : ` (until ${expires})`;
    lines.push(...wrap(`known: ${id}: ${reason}${until}${link === undefined ? "" : ` ${link}`}`, INDENT, 4));
  }
  const untested = baseline.untested.length;
  if (untested > 0) {
    const entries = untested === 1 ? "1 entry" : `${untested} entries`;
    const what = `${entries} not checked (not run, not applicable or left open): ${baseline.untested.join(", ")}`;
    lines.push(...wrap(what, INDENT, 4));
  }
  return lines.length === 0 ? "" : [paint("bold", "baseline"), ...lines].join("\n");
}

function notCoveredBlock(report: Report, paint: Paint): string {
  const lines: string[] = [];
  for (const [id, reason] of Object.entries(report.notCovered)) lines.push(...wrap(`${id}: ${reason}`, INDENT, 4));
  const { uncovered } = report.verdict;
  for (const id of uncovered.slice(0, SHOWN_CLAUSES)) {
    const about = report.results.filter((result) => result.clauses.includes(id));
    const open = about.find(({ outcome }) => outcome !== "not-applicable" && outcome !== "pass");
    const why = (open ?? about[0])?.reason ?? "no case judged it";
    lines.push(...wrap(`${id}: ${why}`, INDENT, 4));
    if (isOutOfReach(id, report)) lines.push(`${INDENT}  add to the target file: "notCovered": { "${id}": "why" }`);
  }
  const more = uncovered.length - SHOWN_CLAUSES;
  if (more > 0) lines.push(`${INDENT}and ${more} more clauses (all in --format json)`);
  const reasons = new Map<string, number>();
  for (const { outcome, level, reason = "" } of report.results) {
    if (outcome !== "not-applicable") continue;
    // One line for each gap would bury the rest; the JSON report names them.
    const open = level === "gap" && reason.startsWith("the profile ");
    const why = open ? `the profile ${report.profile} leaves the gaps open that they judge` : reason;
    reasons.set(why, (reasons.get(why) ?? 0) + 1);
  }
  for (const [reason, count] of reasons) lines.push(...wrap(`${count} not applicable: ${reason}`, INDENT, 4));
  return lines.length === 0 ? "" : [paint("bold", "not covered"), ...lines].join("\n");
}

/** No case about the clause applies to the target: there is nothing to mend first. */
function isOutOfReach(clause: string, { results }: Report): boolean {
  return results.every(({ clauses, outcome }) => !clauses.includes(clause) || outcome === "not-applicable");
}

function summary(report: Report, paint: Paint): string {
  const { verdict, results } = report;
  const counts = Object.entries(verdict.counts)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`);
  const lines = [...report.notes.flatMap((note) => wrap(note, "note: ", 6)), ...tablesLine(results)];
  lines.push(
    `${results.length} ${results.length === 1 ? "case" : "cases"} in ${(report.ms / 1000).toFixed(1)} s: ${counts.join(", ")}`,
  );
  const { seeds = [] } = report.depth ?? {};
  if (seeds.length > 1) lines.push(...wrap(`the properties looked with ${seedsIn(seeds)}`, "", 2));
  if (report.clock === "driven") lines.push("the clock was driven: judge a release with the real one");
  if (verdict.partial) {
    lines.push(...wrap(`partial: ${partOf(report)}; no release verdict`, "", 2));
  }
  if (judgedNothing(verdict.counts)) lines.push(NOTHING_JUDGED);
  const style: Style = verdict.judgement === "conformant" ? "green" : "red";
  const partial = verdict.partial ? "partial: " : "";
  lines.push(
    paint(
      style,
      `${partial}${verdict.judgement.toUpperCase()} with profile ${report.profile} (exit ${verdict.exitCode})`,
    ),
  );
  return lines.join("\n");
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
