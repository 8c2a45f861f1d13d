/** Beside the failures: the target's stderr, the baseline, and what was not covered. */
import { grouped } from "../foundation/grouped.ts";
import { PROFILE_FIELDS } from "../harness/case-errors.ts";
import { isAbout } from "./baseline/apply.ts";
import { number } from "./facts.ts";
import { capped } from "./telling-text.ts";
import type { Report, ReportedResult } from "./report.ts";
import { isUnjudged } from "./verdict.ts";
import { wrap, type Paint } from "./wrap.ts";

const INDENT = "  ";
const STDERR_LINES = 6;
const BASELINE_FAULTS = 4;
const KNOWN = 5;
const REASON_LINES = 4;
/** Clauses: more would bury the verdict where few were judged; failures come first where there are some. */
const [CLAUSES, CLAUSES_BESIDE_FAILURES] = [8, 3];

/** The target's stderr, printed if it may give the reason: a request got no answer or a 5xx, or the target could not be judged. */
export function stderrBlock(report: Report, paint: Paint, verbose: boolean): string[] {
  const red = new Set([...report.verdict.failed, ...report.verdict.open]);
  const wrong = report.results.filter(({ id }) => red.has(id));
  if (wrong.length === 0 || (!verbose && !wrong.some(mayBeTold))) return [];
  const tail = report.stderrTail.trimEnd().split("\n").slice(-10);
  if (tail.join("") === "") return [];
  const lines = tail.flatMap((line) => wrap(line, INDENT, INDENT.length + 2));
  return [
    paint("bold", "the target's stderr, last lines (routes named cold have no secret on purpose)"),
    ...(verbose ? lines : lines.slice(-STDERR_LINES)),
  ];
}

function mayBeTold({ id, outcome, exchanges }: ReportedResult): boolean {
  const mayBeDue = exchanges.some(({ answer }) => answer === undefined || answer.status >= 500);
  return outcome === "error" || id === "ALWAYS-UP" || mayBeDue;
}

export function baselineBlock({ baseline, results }: Report, paint: Paint, verbose: boolean): string[] {
  if (baseline === undefined) return [];
  const lines: string[] = [];
  const say = (text: string) => lines.push(...short(wrap(text, INDENT, 4), 2, verbose));
  const faults = verbose ? baseline.faults : baseline.faults.slice(0, BASELINE_FAULTS);
  for (const { case: id, fault, said } of faults) {
    lines.push(`${paint("red", fault.toUpperCase().padEnd(9))} ${paint("bold", id)}`);
    lines.push(...short(wrap(said, INDENT), 3, verbose));
  }
  const left = baseline.faults.length - faults.length;
  if (left > 0) lines.push(`${INDENT}${left} more no longer true (--verbose)`);
  const known = baseline.entries.filter((entry) =>
    results.some(({ id, findings }) => id === entry.case && findings?.some((one) => one.known && isAbout(entry, one))),
  );
  for (const { case: id, reason, link, expires } of verbose ? known : known.slice(0, KNOWN)) {
    const until = expires === undefined ? "" : ` (until ${expires})`;
    say(`known: ${id}: ${reason}${until}${link === undefined ? "" : ` ${link}`}`);
  }
  if (!verbose && known.length > KNOWN) lines.push(`${INDENT}known: ${known.length - KNOWN} more (--verbose)`);
  const cut = results.filter(({ outcome, cut: isCut }) => outcome === "known" && isCut === true).map(({ id }) => id);
  if (cut.length > 0)
    say(`${number(cut.length, "case")} ended at a known deviation, so the rest was not judged: ${cut.join(", ")}`);
  const { untested } = baseline;
  if (untested.length > 0)
    say(
      `${number(untested.length, "entry")} not checked (not run, not applicable or left open): ${untested.join(", ")}`,
    );
  return lines.length === 0 ? [] : [paint("bold", "baseline"), ...lines];
}

export function notCoveredBlock(report: Report, paint: Paint, verbose: boolean): string[] {
  const { verdict, notCovered } = report;
  const accepted = Object.entries(notCovered).flatMap(([id, reason]) => wrap(`${id}: ${reason}`, INDENT, 4));
  const lines = short(accepted, 6, verbose);
  // A clause that is out of reach waits for a line in the target file, the others for a target that is judged whole.
  const about = (clause: string) => report.results.filter(({ clauses }) => clauses.includes(clause));
  const outOfReach = verdict.uncovered.filter((id) => about(id).every(({ outcome }) => outcome === "not-applicable"));
  const ordered = [...outOfReach, ...verdict.uncovered.filter((id) => !outOfReach.includes(id))];
  const most = verdict.failed.length > 0 ? CLAUSES_BESIDE_FAILURES : CLAUSES;
  const shown = verbose ? ordered : ordered.slice(0, most);
  for (const id of shown) {
    const cases = about(id);
    const { reason = "no case judged it" } = cases.find(isUnjudged) ?? cases[0] ?? {};
    lines.push(...short(wrap(`${id}: ${reason}`, INDENT, 4), 2, verbose));
    if (!outOfReach.includes(id)) continue;
    if (cases.some(({ reason: why = "" }) => why.includes(PROFILE_FIELDS)))
      lines.push(`${INDENT}  other field names? see fields in a profile`);
    lines.push(`${INDENT}  add to the target file: "notCovered": { "${id}": "why" }`);
  }
  const more = ordered.length - shown.length;
  if (more > 0) lines.push(`${INDENT}and ${number(more, "more clause")} (all with --verbose)`);
  lines.push(...notApplicable(report, verbose));
  return lines.length === 0 ? [] : [paint("bold", "not covered"), ...lines];
}

/** Each reason with its count; with `verbose` the names. */
function notApplicable({ results, profile }: Report, verbose: boolean): string[] {
  const inapplicable = results.filter(({ outcome }) => outcome === "not-applicable");
  // Each gap has a reason of its own.
  const byReason = grouped(inapplicable, ({ level, reason = "" }) =>
    level === "gap" && reason.startsWith("the profile ")
      ? `the profile "${profile}" leaves open what they are about`
      : reason,
  );
  const lines = [...byReason].flatMap(([reason, cases]) => {
    const ids = verbose ? `: ${cases.map(({ id }) => id).join(", ")}` : "";
    return wrap(`${cases.length} not judged: ${reason}${ids}`, INDENT, 4);
  });
  return short(lines, REASON_LINES, verbose);
}

const short = (lines: readonly string[], most: number, verbose: boolean): string[] =>
  capped(lines, verbose ? Infinity : most, (left) => `${INDENT}  ... ${number(left, "more line")}`);
