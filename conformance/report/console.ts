/**
 * The report for people: the verdict, what is wrong, in the order in which one fixes it, and the verdict again, as a
 * terminal shows the end. Plain text, 80 columns but for commands; at most 120 lines, however much is wrong, unless
 * everything is asked for, or what stands beside the failures leaves them no room.
 */
import { troublesOf, type Trouble } from "./causes.ts";
import { baselineBlock, notCoveredBlock, stderrBlock } from "./console-rest.ts";
import { headline, summary } from "./console-summary.ts";
import { fullBlock, lineOf, shortBlock, wholeTrouble } from "./console-trouble.ts";
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
