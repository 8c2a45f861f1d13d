/**
 * The report for people: the verdict, what is wrong, in the order in which one fixes it, and the verdict again, as a
 * terminal shows the end. Plain text, as wide as the terminal but for commands; at most 120 lines, however much is wrong, unless
 * everything is asked for, or what stands beside the failures leaves them no room.
 */
import { withoutCommands } from "../foundation/safe-text.ts";
import { firstOf, resultsOf, troublesOf, troubleTitle, type Cause, type Trouble } from "./causes.ts";
import { baselineBlock, notCoveredBlock, stderrBlock } from "./console-rest.ts";
import { headline, summary } from "./console-summary.ts";
import { countsInWords, countsOf, firstNames } from "./facts.ts";
import { inWords } from "../harness/finding.ts";
import { moreOf } from "./findings.ts";
import type { Report, ReportedResult } from "./report.ts";
import { capped, evidenceLines, explanation, whatLines } from "./telling-text.ts";
import { tellingOf, type Telling } from "./telling.ts";
import { atWidth, columns, lineWidth, oneLine, wrap, type Paint, type Style } from "./wrap.ts";

const MOST_LINES = 120;
/** At most so many lines of names and of evidence; other causes; and reasons for what is open. */
const NAME_LINES = 2;
const EVIDENCE_LINES = 44;
const OTHER_CAUSES = 3;
const CAUSE_LINES = 3;
const OPEN_REASONS = 3;
const NAMES = 12;
const OUTCOME = 10;

export interface ConsoleOptions {
  readonly verbose?: boolean;
  readonly files?: readonly string[];
  /** Of the terminal, where it is printed to one. */
  readonly columns?: number | undefined;
}

export const renderConsole = (report: Report, paint: Paint, options: ConsoleOptions = {}): string =>
  atWidth(options.columns, () => rendered(report, paint, options));

function rendered(report: Report, paint: Paint, options: ConsoleOptions): string {
  const { verbose = false } = options;
  const troubles = troublesOf(report);
  const top = headline(report, troubles, paint);
  const rest = [
    baselineBlock(report, paint, verbose),
    stderrBlock(report, paint, verbose),
    notCoveredBlock(report, paint, verbose),
    summary(report, troubles, paint, options),
  ].filter((lines) => lines.length > 0);
  const room = MOST_LINES - heightOf([top, ...rest]) - 1;
  const told = verbose
    ? troubles.map((trouble) => wholeTrouble(trouble, report, paint))
    : fittingBlocks(troubles, report, paint, room);
  return `${[...(top.length > 0 ? [top] : []), ...told, ...rest].map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

const heightOf = (blocks: readonly (readonly string[])[]) =>
  blocks.reduce((sum, lines) => sum + lines.length, blocks.length - 1);

/**
 * The first trouble in full, the others in short; those that there is no room for have a line each. The first is told
 * in short at least, even where there is no room at all.
 */
function fittingBlocks(troubles: readonly Trouble[], report: Report, paint: Paint, room: number): string[][] {
  const short = troubles.map((trouble) => shortBlock(trouble, report, paint));
  const full = troubles.slice(0, 1).map((trouble) => fullBlock(trouble, report, paint));
  const told = (blocks: readonly string[][], shown: number) => {
    const lines = troubles.slice(shown).map((trouble) => lineOf(trouble, paint));
    return [...blocks.slice(0, shown), ...(lines.length > 0 ? [lines] : [])];
  };
  for (const blocks of [[...full, ...short.slice(1)], short]) {
    for (let shown = troubles.length; shown > 0; shown -= 1) {
      const fitting = told(blocks, shown);
      if (heightOf(fitting) <= room) return fitting;
    }
  }
  return told(short, 1);
}

/** The stop on one line: its counts, and the first result if there is room. */
function lineOf(trouble: Trouble, paint: Paint): string {
  const first = firstOf(trouble);
  const title = troubleTitle(trouble);
  const withFirst = `${title} (first ${first.id})`;
  const room = lineWidth() - OUTCOME;
  const text = columns(withFirst) <= room ? withFirst : oneLine(title, room);
  return `${paint(styleOf(first), outcomeOf(first))} ${text}`;
}

function shortBlock(trouble: Trouble, report: Report, paint: Paint): string[] {
  const { first, others } = splitAtFirst(trouble);
  return [
    paint("bold", troubleTitle(trouble)),
    heading(first, paint),
    ...capped(wrap(first.title, "  "), 2),
    ...capped(whatLines(tellingOf(first, report)), 4),
    ...named(`at this stop as well, ${countsInWords(countsOf(others))}`, idsOf(others)),
  ];
}

/** The first result with its evidence, then results with the same cause and other causes. */
function fullBlock(trouble: Trouble, report: Report, paint: Paint): string[] {
  const telling = tellingOf(splitAtFirst(trouble).first, report);
  return [
    paint("bold", troubleTitle(trouble)),
    heading(telling, paint),
    ...capped(wrap(telling.title, "  "), 3),
    ...capped(evidenceLines(telling, true), EVIDENCE_LINES),
    ...followers(trouble),
    ...causesLines(trouble.failing.slice(1)),
  ];
}

function wholeTrouble(trouble: Trouble, report: Report, paint: Paint): string[] {
  const causes = [...trouble.failing, ...trouble.open].map(([first, ...others]) => [
    toldWhole(first, report, paint),
    ...(others.length > 0 ? [`  and ${others.length} more like this`] : []),
    ...others.flatMap(({ id, title }) => wrap(`${id}: ${title}`, "    ", 6)),
  ]);
  return [paint("bold", troubleTitle(trouble)), causes.map((lines) => lines.join("\n")).join("\n\n")];
}

export function toldWhole(result: ReportedResult, report: Report, paint: Paint): string {
  return withoutCommands([heading(result, paint), ...explanation(tellingOf(result, report))].join("\n"));
}

function splitAtFirst(trouble: Trouble) {
  const first = firstOf(trouble);
  return { first, others: resultsOf(trouble).filter((result) => result !== first) };
}

const idsOf = (results: readonly ReportedResult[]) => results.map(({ id }) => id);
const styleOf = ({ outcome }: Pick<Telling, "outcome">): Style => (outcome === "fail" ? "red" : "yellow");
const outcomeOf = ({ outcome }: Pick<Telling, "outcome">) => outcome.toUpperCase().padEnd(9);

function heading(result: Pick<Telling, "id" | "outcome" | "level">, paint: Paint): string {
  return `${paint(styleOf(result), outcomeOf(result))} ${paint("bold", result.id)} (${result.level})`;
}

/** Results with the same cause as the first one, and cases that could not be judged because of it. */
function followers({ failing, open }: Trouble): string[] {
  const [[first, ...alike] = [], ...unjudgedCauses] = [...failing.slice(0, 1), ...open];
  const isFailing = failing.length > 0;
  const kind = isFailing ? (first?.outcome === "fail" ? "also failing" : "also warned") : "for the same reason";
  return [
    ...named(kind, idsOf(alike)),
    ...unjudgedCauses.slice(0, OPEN_REASONS).flatMap((unjudged) => {
      const because = isFailing && unjudged[0].late !== true ? " because of this" : "";
      const what = `${countsInWords(countsOf(unjudged))}${because}: ${unjudged[0].reason ?? ""}`;
      return named(oneLine(what, lineWidth() - 4), idsOf(unjudged), 2, 1 + NAME_LINES);
    }),
    ...named("and for other reasons", idsOf(unjudgedCauses.slice(OPEN_REASONS).flat())),
  ];
}

function causesLines(causes: readonly Cause[]): string[] {
  if (causes.length === 0) return [];
  const lines = causes.slice(0, OTHER_CAUSES).flatMap(([first, ...alike]) => {
    const more = alike.length > 0 ? ` and ${alike.length} more` : "";
    const { id, expected = "", actual = "" } = first;
    const found = `${id}${more}: ${inWords({ expected, actual })}${moreOf(first)}`;
    return capped(wrap(found, "    ", 6), CAUSE_LINES, () => "      ...");
  });
  const more = causes.slice(OTHER_CAUSES).flat();
  return ["  other failures here", ...lines, ...named(`${more.length} more`, idsOf(more), 4)];
}

/** `also failing: A, B, C`, with as many names as so many lines hold; nothing without a name. */
function named(what: string, ids: readonly string[], indent = 2, lines = NAME_LINES): string[] {
  const start = " ".repeat(indent);
  for (let count = Math.min(ids.length, NAMES); count > 0; count -= 1) {
    const names = wrap(`${what}: ${firstNames(ids, count)}`, start, indent + 2);
    if (names.length <= lines) return names;
  }
  return ids.length === 0 ? [] : [oneLine(`${start}${what}: ${firstNames(ids, 1)}`)];
}
