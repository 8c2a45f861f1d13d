/**
 * The report for people: the verdict, what is wrong, in the order in which one fixes it, and the verdict again, as a
 * terminal shows the end. Plain text, 80
 * columns but for commands; at most 120 lines, however much is wrong, unless everything is asked for.
 */
import { firstOf, troublesOf, type Trouble } from "./causes.ts";
import { baselineBlock, notCoveredBlock, stderrBlock } from "./console-rest.ts";
import { headline, summary } from "./console-summary.ts";
import { forms, troubleBlock, wholeTrouble, type Form } from "./console-trouble.ts";
import type { Paint } from "./paint.ts";
import type { Report } from "./report.ts";

export { explained } from "./console-trouble.ts";
export { painter } from "./paint.ts";

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
  const told = verbose
    ? troubles.map((trouble) => wholeTrouble(trouble, report, paint))
    : fittingBlocks(troubles, report, paint, MOST_LINES - heightOf([top, ...rest]) - 1);
  return `${[...(top.length > 0 ? [top] : []), ...told, ...rest].map((lines) => lines.join("\n")).join("\n\n")}\n`;
}

/** Lines of blocks with a blank line between two. */
function heightOf(blocks: readonly (readonly string[])[]): number {
  return blocks.reduce((sum, lines) => sum + lines.length, blocks.length - 1);
}

/** Each trouble in the longest form that there is room for, the first ones first. */
function fittingBlocks(troubles: readonly Trouble[], report: Report, paint: Paint, room: number): string[][] {
  const chosen = troubles.map((trouble) => ({ trouble, form: "line" as Form }));
  const blocks = () => {
    const lines: string[][] = [];
    let joins = false;
    for (const [index, { trouble, form }] of chosen.entries()) {
      const text = troubleBlock(trouble, report, paint, form, index === 0);
      // Troubles of one line each stand together.
      if (form === "line" && joins) lines.at(-1)?.push(...text);
      else lines.push(text);
      joins = form === "line";
    }
    return lines;
  };
  const fits = (one: { form: Form }, form: Form) => {
    const before = one.form;
    one.form = form;
    if (heightOf(blocks()) <= room) return true;
    one.form = before;
    return false;
  };
  // Beside red failures there is no evidence of warnings.
  const red = new Set(report.verdict.failed);
  const mayBe = ({ trouble }: { trouble: Trouble }, form: Form) =>
    form === "short" || red.size === 0 || red.has(firstOf(trouble)?.id ?? "");
  // The first one in full, then each in short, then each in full: no later one is longer than one before it.
  chosen.slice(0, 1).every((one) => fits(one, "short") && fits(one, "full"));
  for (const [place, form] of forms.entries())
    chosen.every((one) => forms.indexOf(one.form) >= place || !mayBe(one, form) || fits(one, form));
  return blocks();
}
