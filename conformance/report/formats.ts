/**
 * Every form that a report can take; all render from the one JSON report. A report may have been read from a file that
 * anybody wrote, so no string of it gets into a text for people as it is.
 */
import { safeJson, withoutCommands } from "../foundation/safe-text.ts";
import { painter, renderConsole } from "./console.ts";
import { renderHtml } from "./html/report-page.ts";
import { renderJunit } from "./junit.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Report } from "./report.ts";
import { safeReport } from "./safe-report.ts";

const formats = {
  console: (report: Report, colour: boolean) => withoutCommands(renderConsole(safeReport(report), painter(colour))),
  json: (report: Report) => `${safeJson(report)}\n`,
  junit: (report: Report) => renderJunit(safeReport(report)),
  markdown: (report: Report) => renderMarkdown(safeReport(report)),
  html: (report: Report) => withoutCommands(renderHtml(safeReport(report))),
} as const;

export type Format = keyof typeof formats;

export const formatNames = Object.keys(formats) as readonly Format[];

/** The report as text that ends with a line break. Only `console` knows colour. */
export function render(report: Report, format: Format, colour = false): string {
  return formats[format](report, colour);
}
