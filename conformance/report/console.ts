/**
 * The report for people: the verdict, what is wrong, in the order in which one fixes it, and the verdict again, as a
 * terminal shows the end. Plain text, 80 columns but for commands; at most 120 lines, however much is wrong, unless
 * everything is asked for.
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
function heightOf(blocks: readonly (readonly string[])[]): number {
  return blocks.reduce((sum, lines) => sum + lines.length, blocks.length - 1);
}

/** The first trouble in full, the others in short, as many as there is room for; the rest have a line each. */
function fittingBlocks(troubles: readonly Trouble[], report: Report, paint: Paint, room: number): string[][] {
  const lines = troubles.map((trouble) => lineOf(trouble, paint));
  const blocks: string[][] = [];
  for (const [place, trouble] of troubles.entries()) {
    const rest = lines.length === place + 1 ? [] : [lines.slice(place + 1)];
    const full = place === 0 ? [fullBlock(trouble, report, paint)] : [];
    const forms = [...full, shortBlock(trouble, report, paint)];
    const fitting = forms.find((block) => heightOf([...blocks, block, ...rest]) <= room);
    if (fitting === undefined) return [...blocks, lines.slice(place)];
    blocks.push(fitting);
  }
  return blocks;
}
