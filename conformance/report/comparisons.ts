/** Several reports compared, as text or as a page. */
import { withoutCommands } from "../foundation/safe-text.ts";
import { comparisonText } from "./comparison-text.ts";
import type { Comparison } from "./comparison.ts";
import { comparisonPage } from "./html/comparison-page.ts";
import { codeBlock } from "./wrap.ts";

const formats = {
  console: comparisonText,
  html: comparisonPage,
  markdown: (comparison: Comparison) => codeBlock(comparisonText(comparison)),
} as const;

export const renderComparison = (format: keyof typeof formats, comparison: Comparison): string =>
  withoutCommands(formats[format](comparison));
