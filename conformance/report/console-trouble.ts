/** One stop of a request's way with what is wrong there: as a line, in short, or with the evidence. */
import { againFor } from "./again.ts";
import { firstOf, likelyFollowing, type Cause, type Trouble } from "./causes.ts";
import { capped, evidenceOf, explainedIn, explanation } from "./failure.ts";
import { acceptedBeside, passingBeside } from "./neighbours.ts";
import type { Paint, Style } from "./paint.ts";
import type { Report, ReportedResult } from "./report.ts";
import { oneLine, wrap } from "./wrap.ts";

type Rerun = Pick<Report, "again" | "depth">;
type Judged = Rerun & Pick<Report, "results">;

/** At most so many lines of names and of evidence; other causes; reasons for what is open; and neighbours that passed. */
const NAME_LINES = 2;
const EVIDENCE_LINES = 44;
const OTHER_CAUSES = 3;
const OPEN_REASONS = 3;
const NEIGHBOURS = 4;
const MORE = "(--verbose)";

/** `12 fail, 3 warn, 25 unreached`. */
export function countedIn(results: readonly ReportedResult[]): string {
  return (["fail", "warn", "unreached", "error"] as const)
    .map((outcome) => [results.filter((result) => result.outcome === outcome).length, outcome] as const)
    .flatMap(([count, outcome]) => (count > 0 ? [`${count} ${outcome}`] : []))
    .join(", ");
}

const allOf = ({ failing, open }: Trouble) => [...failing, ...open].flat();

export function heading({ outcome, id, level }: ReportedResult, paint: Paint): string {
  const style: Style = outcome === "fail" ? "red" : "yellow";
  return `${paint(style, outcome.toUpperCase().padEnd(9))} ${paint("bold", id)} (${level})`;
}

/** The whole trouble on one line. */
export function asLine(trouble: Trouble, _report: Judged, paint: Paint): string[] {
  const first = firstOf(trouble);
  if (first === undefined) return [];
  const { outcome, id } = first;
  const others = allOf(trouble).length - 1;
  const more = others > 0 ? ` and ${others} more` : "";
  const label = outcome.toUpperCase().padEnd(9);
  const text = oneLine(`${id}${more}, ${trouble.stop.title}: ${first.signature ?? first.reason ?? ""}`, 70);
  return [`${paint(outcome === "fail" ? "red" : "yellow", label)} ${text}`];
}

/** What was expected and what came, and what else there is. */
export function inShort(trouble: Trouble, report: Judged, paint: Paint): string[] {
  const first = firstOf(trouble);
  if (first === undefined) return [];
  const { about, what } = explainedIn(first, report, true);
  const others = allOf(trouble).slice(1);
  return [
    title(trouble, paint),
    heading(first, paint),
    ...capped(about, 2),
    ...capped(what, 4),
    ...(others.length === 0 ? [] : named(`also here, ${countedIn(others)}`, others, 2)),
  ];
}

/** The same with the evidence, what follows from it, and what works beside it. `isNext`: the report ends with its command. */
export function inFull(trouble: Trouble, report: Judged, paint: Paint, isNext = false): string[] {
  const first = firstOf(trouble);
  if (first === undefined) return [];
  return [
    title(trouble, paint),
    ...whole(first, report, paint, isNext),
    ...followers(trouble),
    ...reach(first, report),
    ...besides(trouble),
  ];
}

/** The same, with the evidence of each other cause, unless it is likely to follow from the first, or only a warning. */
export function inWhole(trouble: Trouble, report: Judged, paint: Paint, isNext = false): string[] {
  const others = otherCauses(trouble).filter(([one]) => one.outcome === firstOf(trouble)?.outcome);
  const blocks = others.map((cause) => [
    ...whole(cause[0], report, paint, false),
    ...followers({ failing: [cause], open: [] }),
    ...reach(cause[0], report),
  ]);
  const shown = { ...trouble, failing: trouble.failing.filter((cause) => !others.includes(cause)) };
  const [, ...lines] = inFull(shown, report, paint, isNext);
  return [title(trouble, paint), ...lines, ...blocks.flatMap((block) => ["", ...block])];
}

/** One result, with as much evidence as a block has room for. */
function whole(result: ReportedResult, report: Judged, paint: Paint, isNext: boolean): string[] {
  const { about, again, ...others } = explainedIn(result, report, true);
  const evidence = evidenceOf({ ...others, what: capped(others.what, 8) });
  return [heading(result, paint), ...capped(about, 3), ...capped(evidence, EVIDENCE_LINES), ...(isNext ? [] : again)];
}

function title(trouble: Trouble, paint: Paint): string {
  return paint("bold", `${trouble.stop.title}: ${countedIn(allOf(trouble))}`);
}

/** What has the cause of the first failure or may have it, and what could not be judged for it. */
function followers({ failing, open }: Omit<Trouble, "stop">): string[] {
  const isFailing = failing.length > 0;
  const [cause = open[0], left] = [failing[0], isFailing ? open : open.slice(1)];
  if (cause === undefined) return [];
  const alike = cause.slice(1);
  const kind = isFailing ? (cause[0].outcome === "fail" ? "also failing" : "also warned") : "for the same reason";
  const likely = likelyFollowing({ failing }).flat();
  const lines = [
    ...(alike.length === 0 ? [] : named(kind, alike, 2)),
    ...(likely.length === 0 ? [] : named("may have the same cause", likely, 2)),
  ];
  for (const group of left.slice(0, OPEN_REASONS)) {
    const [{ reason = "" }] = group;
    const because = isFailing ? " because of this" : "";
    lines.push(...named(oneLine(`${countedIn(group)}${because}: ${reason}`, 76), group, 2, 1 + NAME_LINES));
  }
  const more = left.slice(OPEN_REASONS);
  if (more.length > 0) lines.push(`  ${countedIn(more.flat())} for ${more.length} other reasons ${MORE}`);
  return lines;
}

/** How far the fault reaches, by what works next to it. */
function reach(result: ReportedResult, { results }: Judged): string[] {
  const passing = passingBeside(result, results);
  const accepted = acceptedBeside(result);
  return [
    ...(accepted.length === 0 ? [] : wrap(`accepted next to it: ${accepted.join("; ")}`, "  ", 4).slice(0, 2)),
    ...(passing.length === 0 ? [] : named("passing next to it", passing, 2, NAME_LINES, NEIGHBOURS)),
  ];
}

/** Failures at the same stop with another cause. */
function otherCauses(trouble: Trouble): readonly Cause[] {
  const likely = likelyFollowing(trouble);
  return trouble.failing.slice(1).filter((cause) => !likely.includes(cause));
}

function besides(trouble: Trouble): string[] {
  const others = otherCauses(trouble);
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

/** `also failing: A, B, C`, with at most `names` names and as many as so many lines hold. */
export function named(
  what: string,
  results: readonly ReportedResult[],
  indent = 4,
  most = NAME_LINES,
  names = 12,
): string[] {
  const first = " ".repeat(indent);
  for (let shown = Math.min(results.length, names); shown > 0; shown -= 1) {
    const left = results.length - shown;
    const ids = results.slice(0, shown).map(({ id }) => id);
    const lines = wrap(`${what}: ${ids.join(", ")}${left > 0 ? ` and ${left} more` : ""}`, first, indent + 2);
    if (lines.length <= most) return lines;
  }
  return [oneLine(`${first}${what}: ${results[0]?.id ?? ""} and ${results.length - 1} more`)];
}

/** Everything about every cause. */
export function inVerbose(trouble: Trouble, report: Judged, paint: Paint): string[] {
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

/** The command to run next: the case to look at first, run again. */
export function nextCommand(troubles: readonly Trouble[], report: Rerun): string | undefined {
  const first = troubles[0] && firstOf(troubles[0]);
  return first && againFor(first, report);
}
