/** The end of the report: how much was judged, what to do next, and the verdict last. */
import { againFor } from "./again.ts";
import { firstOf, type Trouble } from "./causes.ts";
import { countsInWords, judgementOf, measuresIn, number, remarksOn, warningsIn, wrongIn } from "./facts.ts";
import type { Report } from "./report.ts";
import { capped, label } from "./telling-text.ts";
import { asHeadline, tellingOf } from "./telling.ts";
import { wrap, type Paint, type Style } from "./wrap.ts";

const NOTE_LINES = 8;

/**
 * Why the verdict is not a plain green: `counts` of what is wrong, `first` the first cause in words, `next` the command
 * that runs its case again. Nothing where nothing is wrong.
 */
export function reasonsOf(report: Report, troubles: readonly Trouble[]) {
  const { verdict, results } = report;
  const first = troubles[0] && firstOf(troubles[0]);
  if (first === undefined) return undefined;
  const { failed, uncovered, counts: each } = verdict;
  const wrong = [
    ...wrongIn(report),
    ...(uncovered.length > 0 && failed.length === 0 ? [`${number(uncovered.length, "clause")} not covered`] : []),
  ];
  const passed = `${each.pass} of ${number(results.length, "case")} passed`;
  const counts = `${wrong.length > 0 ? wrong.join(", ") : passed}.`;
  return { counts, first: asHeadline(tellingOf(first, report)), next: againFor(first, report) };
}

/** The verdict first, with the first cause in words; nothing where nothing is wrong, as the end says it all. */
export function headline(report: Report, troubles: readonly Trouble[], paint: Paint): string[] {
  const reasons = reasonsOf(report, troubles);
  if (reasons === undefined) return [];
  const lines = wrap(`${judgementOf(report)}: ${reasons.counts} ${reasons.first}`, "", 2);
  const [top = "", ...others] = capped(lines, 4, () => "  ...");
  return [paint(styleOf(report.verdict.judgement), top), ...others];
}

const styleOf = (judgement: Report["verdict"]["judgement"]): Style => (judgement === "conformant" ? "green" : "red");

interface SummaryOptions {
  readonly verbose?: boolean;
  readonly files?: readonly string[];
}

export function summary(report: Report, troubles: readonly Trouble[], paint: Paint, options: SummaryOptions) {
  const { verbose = false, files = [] } = options;
  const { verdict, results } = report;
  const notes = report.notes.flatMap((note) => wrap(note, "note: ", 6));
  // In a red run only the limits that a failing case has measured, so that the failures stand out.
  const isBrief = !verbose && verdict.failed.length > 0;
  const measured = isBrief ? results.filter(({ outcome }) => outcome !== "pass") : results;
  const lines = [...capped(notes, NOTE_LINES), ...measuresTable(measured)];
  if (!isBrief) lines.push(...coverageLines(results, verbose));
  lines.push(
    `${number(results.length, "case")} in ${(report.ms / 1000).toFixed(1)} s: ${countsInWords(verdict.counts)}`,
  );
  const { seeds = [] } = report.depth ?? {};
  if (seeds.length > 1) lines.push(...capped(wrap(`the properties looked with ${seedsIn(seeds)}`, "", 2), 4));
  lines.push(...remarksOn(report).flatMap((remark) => wrap(remark, "", 2)));
  if (files.length > 0) lines.push(...wrap(`wrote ${files.join(", ")}`, "", 2));
  const next = reasonsOf(report, troubles)?.next;
  if (next !== undefined) lines.push(label("next").trimStart() + next);
  return [...lines, paint(styleOf(verdict.judgement), verdictLine(report))];
}

export const verdictLine = (report: Report): string =>
  `${judgementOf(report)}${warningsIn(report) > 0 ? "," : ""} with profile ${report.profile} (exit ${report.verdict.exitCode})`;

function measuresTable(results: Report["results"]): string[] {
  const rows = measuresIn(results);
  const wide = Math.max(...rows.map(({ limit }) => limit.length));
  return rows.flatMap(({ limit, measured, stated, note }) =>
    wrap(`${measured} (stated ${stated})${note === undefined ? "" : `, ${note}`}`, `${limit.padEnd(wide)}  `, wide + 2),
  );
}

/** `combinations of factors judged: 812 of 830 pairs, 96 of 96 triples`, and with `verbose` what they are without. */
function coverageLines(results: Report["results"], verbose: boolean): string[] {
  const tables = results.flatMap(({ coverage }) => coverage ?? []);
  if (tables.length === 0) return [];
  const said = (["pairs", "triples"] as const).map((what) => {
    const [met, of] = (["met", "of"] as const).map((part) => tables.reduce((sum, table) => sum + table[what][part], 0));
    return `${met} of ${of} ${what}`;
  });
  const without = new Set(
    tables.flatMap((table) => table.without).map(({ factor, values }) => `${factor}: ${values.join(", ")}`),
  );
  const left = `not tried, as the target does not have it: ${[...without].join("; ")}`;
  return [
    ...wrap(`combinations of factors judged: ${said.join(", ")}`, "", 2),
    ...(verbose && without.size > 0 ? wrap(left, "  ", 4) : []),
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
