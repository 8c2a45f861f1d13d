/** Several reports compared, as text or as a page. As in `formats.ts`, no string of a report gets into them as it is. */
import { withoutCommands } from "../foundation/safe-text.ts";
import { diffReports } from "./diff.ts";
import { renderDiffConsole } from "./diff-console.ts";
import { renderDiffHtml } from "./html/diff-page.ts";
import { renderHtml } from "./html/report-page.ts";
import { renderMatrixHtml } from "./html/matrix-page.ts";
import { matrixOf } from "./matrix.ts";
import { renderMatrixConsole } from "./matrix-console.ts";
import { renderMatrixMarkdown } from "./matrix-markdown.ts";
import type { Report } from "./report.ts";
import { safeReport } from "./safe-report.ts";

export function renderDiff(format: "console" | "html", before: Report, after: Report): string {
  const reports = [safeReport(before), safeReport(after)] as const;
  const renderAs = format === "html" ? renderDiffHtml : renderDiffConsole;
  return withoutCommands(renderAs(...reports, diffReports(...reports)));
}

const matrixFormats = { console: renderMatrixConsole, html: renderMatrixHtml, markdown: renderMatrixMarkdown } as const;
export type MatrixFormat = keyof typeof matrixFormats;

/** `differences`: only cases that do not end alike. */
export function renderMatrix(format: MatrixFormat, reports: readonly Report[], differences = false): string {
  return withoutCommands(matrixFormats[format](matrixOf(reports.map(safeReport), differences), differences));
}

/** The page of a report, where each case has its history. */
export function renderWithHistory(report: Report, earlier: readonly Report[]): string {
  return withoutCommands(renderHtml(safeReport(report), earlier.map(safeReport)));
}
