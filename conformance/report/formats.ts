/** Every form that a report can take; all render from the one JSON report. */
import { painter, renderConsole } from "./console.ts";
import { renderJunit } from "./junit.ts";
import { renderMarkdown } from "./markdown.ts";
import type { Report } from "./report.ts";

const formats = {
  console: (report: Report, colour: boolean) => renderConsole(report, painter(colour)),
  json: (report: Report) => `${JSON.stringify(report, null, 2)}\n`,
  junit: renderJunit,
  markdown: renderMarkdown,
} as const;

export type Format = keyof typeof formats;

export const formatNames = Object.keys(formats) as readonly Format[];

/** The report as text that ends with a line break. Only `console` knows colour. */
export function render(report: Report, format: Format, colour = false): string {
  return formats[format](report, colour);
}
