/** One stop of a request's way with what is wrong there: as a line, in short, with the evidence, or whole. */
import { firstOf, likelyFollowing, otherCauses, type Cause, type Trouble } from "./causes.ts";
import type { Paint, Style } from "./paint.ts";
import type { Report, ReportedResult } from "./report.ts";
import { againLine, capped, evidenceLines, explanation, whatLines } from "./telling-text.ts";
import { tellingOf, type Telling } from "./telling.ts";
import { oneLine, wrap } from "./wrap.ts";

/** At most so many lines of names and of evidence; other causes; reasons for what is open; and neighbours that passed. */
const NAME_LINES = 2;
const EVIDENCE_LINES = 44;
const OTHER_CAUSES = 3;
const OPEN_REASONS = 3;
const NEIGHBOURS = 4;
const MORE = "(--verbose)";

/** One line; what was expected and what came; the evidence of the first failure; that of each cause. */
export const forms = ["line", "short", "full", "each"] as const;
export type Form = (typeof forms)[number];

/** `isNext`: the report ends with the command that runs the first one again. */
export function troubleBlock(trouble: Trouble, report: Report, paint: Paint, form: Form, isNext = false): string[] {
  const first = firstOf(trouble);
  if (first === undefined) return [];
  const others = resultsOf(trouble).slice(1);
  if (form === "line") return [asLine(trouble, first, others.length, paint)];
  const telling = tellingOf(first, report);
  if (form === "short") {
    const besides = others.length === 0 ? [] : named(`at this stop as well, ${countedIn(others)}`, others, 2);
    const what = [...capped(wrap(first.title, "  "), 2), ...capped(whatLines(telling), 4)];
    return [title(trouble, paint), heading(first, paint), ...what, ...besides];
  }
  const causes = otherCauses(trouble);
  const each = form === "each" ? causes.filter(([one]) => one.outcome === first.outcome) : [];
  return [
    title(trouble, paint),
    ...oneCause(trouble, telling, isNext, paint),
    ...causesLines(causes.filter((cause) => !each.includes(cause))),
    ...each.flatMap((cause) => [
      "",
      ...oneCause({ failing: [cause], open: [] }, tellingOf(cause[0], report), false, paint),
    ]),
  ];
}

/** The first result with its evidence, what follows from it, and what works next to it. */
function oneCause(causes: Omit<Trouble, "stop">, telling: Telling, isNext: boolean, paint: Paint): string[] {
  return [
    heading(telling, paint),
    ...capped(wrap(telling.title, "  "), 3),
    ...capped(evidenceLines(telling, true), EVIDENCE_LINES),
    ...(isNext || telling.again === undefined ? [] : againLine(telling.again)),
    ...followers(causes),
    ...reach(telling),
  ];
}

/** Everything about every cause. */
export function wholeTrouble(trouble: Trouble, report: Report, paint: Paint): string[] {
  const causes = [...trouble.failing, ...trouble.open].map(([first, ...others]) => [
    explained(first, report, paint),
    ...(others.length > 0 ? [`  and ${others.length} more like this`] : []),
    ...others.flatMap(({ id, title: about }) => wrap(`${id}: ${about}`, "    ", 6)),
  ]);
  return [title(trouble, paint), causes.map((lines) => lines.join("\n")).join("\n\n")];
}

/** One result, told whole. */
export function explained(result: ReportedResult, report: Report, paint: Paint): string {
  return [heading(result, paint), ...explanation(tellingOf(result, report))].join("\n");
}

/** `12 fail, 3 warn, 25 unreached`. */
export function countedIn(results: readonly ReportedResult[]): string {
  return (["fail", "warn", "unreached", "error"] as const)
    .map((outcome) => [results.filter((result) => result.outcome === outcome).length, outcome] as const)
    .flatMap(([count, outcome]) => (count > 0 ? [`${count} ${outcome}`] : []))
    .join(", ");
}

export const resultsOf = ({ failing, open }: Pick<Trouble, "failing" | "open">) => [...failing, ...open].flat();

const styleOf = ({ outcome }: Pick<Telling, "outcome">): Style => (outcome === "fail" ? "red" : "yellow");
const outcomeOf = ({ outcome }: Pick<Telling, "outcome">) => outcome.toUpperCase().padEnd(9);

function heading(result: Pick<Telling, "id" | "outcome" | "level">, paint: Paint): string {
  return `${paint(styleOf(result), outcomeOf(result))} ${paint("bold", result.id)} (${result.level})`;
}

function title(trouble: Trouble, paint: Paint): string {
  return paint("bold", `${trouble.stop.title}: ${countedIn(resultsOf(trouble))}`);
}

function asLine({ stop }: Trouble, first: ReportedResult, others: number, paint: Paint): string {
  const more = others > 0 ? ` and ${others} more` : "";
  const text = oneLine(`${first.id}${more}, ${stop.title}: ${first.signature ?? first.reason ?? ""}`, 70);
  return `${paint(styleOf(first), outcomeOf(first))} ${text}`;
}

/** What has the cause of the first failure or may have it, and what could not be judged for it. */
function followers(trouble: Omit<Trouble, "stop">): string[] {
  const { failing, open } = trouble;
  const isFailing = failing.length > 0;
  const [cause = open[0], left] = [failing[0], isFailing ? open : open.slice(1)];
  if (cause === undefined) return [];
  const alike = cause.slice(1);
  const kind = isFailing ? (cause[0].outcome === "fail" ? "also failing" : "also warned") : "for the same reason";
  const likely = likelyFollowing(trouble).flat();
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
function reach({ accepted, passing }: Telling): string[] {
  return [
    ...(accepted.length === 0 ? [] : wrap(`accepted next to it: ${accepted.join("; ")}`, "  ", 4).slice(0, 2)),
    ...(passing.length === 0
      ? []
      : namedIds("passing next to it", passing, { indent: 2, lines: NAME_LINES, names: NEIGHBOURS })),
  ];
}

function causesLines(others: readonly Cause[]): string[] {
  if (others.length === 0) return [];
  const lines = others.slice(0, OTHER_CAUSES).map((cause) => oneLine(`    ${causeLine(cause)}`));
  const left = others.slice(OTHER_CAUSES).flat();
  if (left.length > 0) lines.push(...named(`${left.length} more`, left));
  return ["  with another cause", ...lines];
}

function causeLine([first, ...alike]: Cause): string {
  const more = alike.length > 0 ? ` and ${alike.length} more` : "";
  return `${first.id}${more}: ${first.signature ?? ""}`;
}

export function named(what: string, results: readonly ReportedResult[], indent = 4, lines = NAME_LINES): string[] {
  return namedIds(
    what,
    results.map(({ id }) => id),
    { indent, lines, names: 12 },
  );
}

/** `also failing: A, B, C`, with at most `names` names and as many as so many lines hold. */
function namedIds(
  what: string,
  ids: readonly string[],
  most: { readonly indent: number; readonly lines: number; readonly names: number },
): string[] {
  const first = " ".repeat(most.indent);
  for (let shown = Math.min(ids.length, most.names); shown > 0; shown -= 1) {
    const left = ids.length - shown;
    const names = ids.slice(0, shown).join(", ");
    const lines = wrap(`${what}: ${names}${left > 0 ? ` and ${left} more` : ""}`, first, most.indent + 2);
    if (lines.length <= most.lines) return lines;
  }
  return [oneLine(`${first}${what}: ${ids[0] ?? ""} and ${ids.length - 1} more`)];
}
