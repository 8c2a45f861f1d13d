/**
 * Every form that a report can take; all render from the one JSON report. A report may have been read from a file that
 * anybody wrote, so no string of it gets into a text for people as it is. A renderer is loaded when it is asked for.
 */
import { safeJson, safeLine, withoutCommands } from "../foundation/safe-text.ts";
import type { ConsoleOptions } from "./console.ts";
import { painter } from "./wrap.ts";
import { safeReport } from "./read.ts";
import type { Report } from "./report.ts";

type Render = (report: Report) => string;

/** JSON keeps every string as it is; its text is made safe instead. */
const asJson =
  (value: (report: Report) => unknown): Render =>
  (report) =>
    `${safeJson(value(report))}\n`;

/** For texts that show strings as they are. */
const asText =
  (text: (report: Report) => string): Render =>
  (report) =>
    text(safeReport(report));

const formats = {
  json: async () => asJson((report) => report),
  junit: async () => asText((await import("./junit.ts")).renderJunit),
  markdown: async () => asText((await import("./markdown.ts")).renderMarkdown),
  har: async () => asJson((await import("./har.ts")).harOf),
  ctrf: async () => {
    const { ctrfOf } = await import("./ctrf.ts");
    return asJson((report) => ctrfOf(safeReport(report)));
  },
  html: async () => {
    const { renderHtml } = await import("./html/report-page.ts");
    return asText((report) => withoutCommands(renderHtml(report)));
  },
  console: async () => {
    const { renderConsole } = await import("./console.ts");
    return asText((report) => withoutCommands(renderConsole(report, painter(false), { verbose: true })));
  },
} as const satisfies Readonly<Record<string, () => Promise<Render>>>;

export type ReportFormat = keyof typeof formats;

export const formatNames = Object.keys(formats) as readonly ReportFormat[];

export async function render(report: Report, format: ReportFormat): Promise<string> {
  return (await formats[format]())(report);
}

/** The report for standard output: bounded, unless everything is asked for. */
export async function consoleText(report: Report, colour: boolean, options: ConsoleOptions = {}): Promise<string> {
  const { renderConsole } = await import("./console.ts");
  const files = (options.files ?? []).map(safeLine);
  return withoutCommands(renderConsole(safeReport(report), painter(colour), { ...options, files }));
}
