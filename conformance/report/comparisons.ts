/** Several reports compared, as text or as a page. As in `formats.ts`, no string of a report gets into them as it is. */
import { withoutCommands } from "../foundation/safe-text.ts";
import { comparisonMarkdown, comparisonText } from "./comparison-text.ts";
import { compareReports, type By } from "./comparison.ts";
import { comparisonPage } from "./html/comparison-page.ts";
import { safeReport } from "./read.ts";
import type { Report } from "./report.ts";

const formats = { console: comparisonText, html: comparisonPage, markdown: comparisonMarkdown } as const;

/** `differences`: only cases that do not end alike. */
export function renderComparison(
  format: keyof typeof formats,
  reports: readonly Report[],
  by: By,
  differences = false,
): string {
  return withoutCommands(formats[format](compareReports(reports.map(safeReport), by, differences), differences));
}
