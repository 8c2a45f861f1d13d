/**
 * The report for people: the verdict, what is wrong, in the order in which one fixes it, and the verdict again, as a
 * terminal shows the end. Plain text, 80 columns but for commands; at most 120 lines, however much is wrong, unless
 * everything is asked for.
 */
import { troublesOf, type Trouble } from "./causes.ts";
import { baselineBlock, notCoveredBlock, stderrBlock } from "./console-rest.ts";
import { headline, summary } from "./console-summary.ts";
import { number } from "./facts.ts";
import { fullBlock, shortBlock, wholeTrouble } from "./console-trouble.ts";
import type { Paint } from "./paint.ts";
import type { Report } from "./report.ts";

/** Lines of the whole report. */
const MOST_LINES = 120;

export interface ConsoleOptions {
  /** Everything, in as many lines as it takes. */
  readonly verbose?: boolean;
  /** Where other reports of the run were written. */
  readonly files?: readonly string[];
}

export function renderConsole(report: Report, paint: Paint, options: ConsoleOptions = {}): string {
  const { verbose = false, files = [] } = options;
  const troubles = troublesOf(report);
  const top = headline(report, troubles, paint);
  const rest = [
    baselineBlock(report, paint, verbose),
    stderrBlock(report, paint, verbose),
    notCoveredBlock(report, paint, verbose),
    summary(report, troubles, paint, files),
  ].filter((lines) => lines.length > 0);
  const room = MOST_LINES - heightOf([top, ...rest]) - 1;
  const told = verbose
    ? troubles.map((trouble) => wholeTrouble(trouble, report, paint))
    : fittingBlocks(troubles, report, paint, room);
  return `${[...(top.length > 0 ? [top] : []), ...told, ...rest].map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** Lines of blocks with a blank line between two. */
const heightOf = (blocks: readonly (readonly string[])[]) =>
  blocks.reduce((sum, lines) => sum + lines.length, blocks.length - 1);

/** The first trouble in full, the others in short, as many lines as there is room for. */
function fittingBlocks(troubles: readonly Trouble[], report: Report, paint: Paint, room: number): string[][] {
  const blocks = troubles.map((trouble, place) =>
    place === 0 ? fullBlock(trouble, report, paint) : shortBlock(trouble, report, paint),
  );
  const shown = blocks.findLastIndex((_, place) => heightOf(blocks.slice(0, place + 1)) < room - 1) + 1;
  const left = troubles.length - shown;
  return left === 0 ? blocks : [...blocks.slice(0, shown), [`and ${number(left, "stop")} more (--verbose)`]];
}
