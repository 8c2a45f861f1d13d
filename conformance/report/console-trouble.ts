/** One stop of a request's way with what is wrong there: as a line, in short, or with the evidence. */
import { againFor } from "./again.ts";
import { firstOf, type Cause, type Trouble } from "./causes.ts";
import { explainedIn, explanation } from "./failure.ts";
import type { Paint, Style } from "./paint.ts";
import type { Report, ReportedResult } from "./report.ts";
import { oneLine, wrap } from "./wrap.ts";

type Rerun = Pick<Report, "again" | "depth">;

/** At most so many lines of names and of evidence; other causes; and reasons for what is open. */
const NAME_LINES = 2;
const EVIDENCE_LINES = 36;
const OTHER_CAUSES = 3;
const OPEN_REASONS = 3;
const MORE = "(--verbose)";

/** `12 fail, 3 warn, 25 not judged`. */
export function countedIn(results: readonly ReportedResult[]): string {
  const count = (...outcomes: string[]) => results.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const counts = [
    [count("fail"), "fail"],
    [count("warn"), "warn"],
    [count("unreached", "error"), "not judged"],
  ] as const;
  return counts.flatMap(([number, what]) => (number > 0 ? [`${number} ${what}`] : [])).join(", ");
}

const allOf = ({ failing, open }: Trouble) => [...failing, ...open].flat();

export function heading({ outcome, id, level, since }: ReportedResult, paint: Paint): string {
  const style: Style = outcome === "fail" ? "red" : "yellow";
  return `${paint(style, outcome.toUpperCase().padEnd(9))} ${paint("bold", id)} (${level}${since === undefined ? "" : ", new"})`;
}

/** The whole trouble on one line. */
export function asLine(trouble: Trouble, _report: Rerun, paint: Paint): string[] {
  const first = firstOf(trouble);
  if (first === undefined) return [];
  const { outcome, id } = first;
  const others = allOf(trouble).length - 1;
  const more = others > 0 ? ` and ${others} more` : "";
  const label = outcome.toUpperCase().padEnd(9);
  const text = oneLine(`${id}${more}, ${trouble.stop.title}: ${first.signature ?? first.reason ?? ""}`, 70);
  return [`${paint(outcome === "fail" ? "red" : "yellow", label)} ${text}`];
}

/** What was expected and what came, and how many follow from it. */
export function inShort(trouble: Trouble, report: Rerun, paint: Paint): string[] {
  const first = firstOf(trouble);
  if (first === undefined) return [];
  const { about, what } = explainedIn(first, report);
  const others = trouble.failing.slice(1).flat();
  return [
    title(trouble, paint),
    heading(first, paint),
    ...capped(about, 2),
    ...capped(what, 4),
    ...followers(trouble).slice(0, 1),
    ...(others.length === 0 ? [] : named("beside it", others, 2, 1)),
  ];
}

/** The same with clauses, exchanges, lines to replay them, and the names of what follows. */
export function inFull(trouble: Trouble, report: Rerun, paint: Paint): string[] {
  const first = firstOf(trouble);
  if (first === undefined) return [];
  const { about, clauses, what, evidence, again } = explainedIn(first, report);
  return [
    title(trouble, paint),
    heading(first, paint),
    ...capped(about, 3),
    ...capped(clauses, 6),
    ...capped(what, 8),
    ...capped(evidence, EVIDENCE_LINES, (left) => `            ... ${left} more lines ${MORE}`),
    ...again,
    ...followers(trouble),
    ...besides(trouble),
  ];
}

function title(trouble: Trouble, paint: Paint): string {
  return paint("bold", `${trouble.stop.title}: ${countedIn(allOf(trouble))}`);
}

/** What has the cause of the first failure, and what could not be judged for it. */
function followers({ failing, open }: Trouble): string[] {
  const [cause = open[0], reasons] = [failing[0], failing.length > 0 ? open : open.slice(1)];
  if (cause === undefined) return [];
  const alike = cause.slice(1);
  const count = alike.length + reasons.flat().length;
  if (count === 0) return [];
  const kind = failing.length > 0 ? "fail alike" : "left open for the same reason";
  const lines = alike.length === 0 ? [] : named(`${alike.length} ${kind}`, alike);
  for (const group of reasons.slice(0, OPEN_REASONS)) {
    const [{ reason = "" }] = group;
    lines.push(...named(oneLine(`${group.length} not judged: ${reason}`, 76), group, 4, 1 + NAME_LINES));
  }
  const left = reasons.slice(OPEN_REASONS);
  if (left.length > 0) lines.push(`    ${left.flat().length} not judged for ${left.length} other reasons ${MORE}`);
  return [`  and ${count} more ${count === 1 ? "follows" : "follow"} from this`, ...lines];
}

/** Failures at the same stop with another cause. */
function besides({ failing }: Trouble): string[] {
  const others = failing.slice(1);
  if (others.length === 0) return [];
  const lines = others.slice(0, OTHER_CAUSES).map((cause) => oneLine(`    ${causeLine(cause)}`));
  const left = others.slice(OTHER_CAUSES);
  if (left.length > 0) lines.push(...named(`${left.flat().length} more`, left.flat()));
  return ["  beside it", ...lines];
}

function causeLine([first, ...alike]: Cause): string {
  const more = alike.length > 0 ? ` and ${alike.length} more` : "";
  return `${first.id}${more}: ${first.signature ?? ""}`;
}

/** `3 fail alike: A, B, C`, with as many names as so many lines hold. */
export function named(what: string, results: readonly ReportedResult[], indent = 4, most = NAME_LINES): string[] {
  const first = " ".repeat(indent);
  for (let shown = Math.min(results.length, 12); shown > 0; shown -= 1) {
    const left = results.length - shown;
    const ids = results.slice(0, shown).map(({ id }) => id);
    const lines = wrap(`${what}: ${ids.join(", ")}${left > 0 ? ` and ${left} more` : ""}`, first, indent + 2);
    if (lines.length <= most) return lines;
  }
  return [oneLine(`${first}${what}: ${results[0]?.id ?? ""} and ${results.length - 1} more`)];
}

/** Everything about every cause. */
export function inVerbose(trouble: Trouble, report: Rerun, paint: Paint): string[] {
  const causes = [...trouble.failing, ...trouble.open].map((cause) => explained(cause, report, paint));
  return `${title(trouble, paint)}\n${causes.join("\n\n")}`.split("\n");
}

/** Explains the first result in full and names the others, which have the same cause. */
export function explained([result, ...others]: readonly ReportedResult[], report: Rerun, paint: Paint): string {
  if (result === undefined) return "";
  const lines = [heading(result, paint), ...explanation(result, report)];
  if (others.length > 0) lines.push(`  and ${others.length} more like this`);
  for (const { id, title: about } of others) lines.push(...wrap(`${id}: ${about}`, "    ", 6));
  return lines.join("\n");
}

/** At most so many lines; the last one says how many are left out. */
export function capped(
  lines: readonly string[],
  most: number,
  said = (left: number) => `  ... ${left} more lines ${MORE}`,
): string[] {
  return lines.length <= most ? [...lines] : [...lines.slice(0, most - 1), said(lines.length - most + 1)];
}

/** The command to run next: the case to look at first, run again. */
export function nextCommand(troubles: readonly Trouble[], report: Rerun): string | undefined {
  const first = troubles[0] && firstOf(troubles[0]);
  return first && againFor(first, report);
}
