/**
 * Every form that a report can take; all render from the one JSON report. A report may have been read from a file that
 * anybody wrote, so no string of it gets into a text for people as it is.
 */
import { safeJson, safeLine, safeStrings, withoutCommands } from "../foundation/safe-text.ts";
import { painter, renderConsole, type ConsoleOptions } from "./console.ts";
import { renderJunit } from "./junit.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Report } from "./report.ts";

/** The target's stderr is the one text of several lines. */
const severalLines = new Set(["stderrTail"]);
const safe = (report: Report) => safeStrings(report, severalLines);

/** The report on standard output: bounded, unless everything is asked for. */
export function consoleText(report: Report, colour: boolean, options: ConsoleOptions = {}): string {
  const files = (options.files ?? []).map(safeLine);
  return withoutCommands(renderConsole(safe(report), painter(colour), { ...options, files }));
}

const formats = {
  /** Of any length, as for a file. */
  console: (report: Report, colour: boolean) => consoleText(report, colour, { verbose: true }),
  json: (report: Report) => `${safeJson(report)}\n`,
  junit: (report: Report) => renderJunit(safe(report)),
  markdown: (report: Report) => renderMarkdown(safe(report)),
} as const;

export type Format = keyof typeof formats;

export const formatNames = Object.keys(formats) as readonly Format[];

/** The report as text that ends with a line break. Only `console` knows colour. */
export function render(report: Report, format: Format, colour = false): string {
  return formats[format](report, colour);
}
