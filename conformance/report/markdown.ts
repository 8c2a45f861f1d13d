/** Markdown for a CI job's summary: the verdict as its heading, and the printed report as a block of code. */
import { withoutCommands } from "../foundation/safe-text.ts";
import { renderConsole } from "./console.ts";
import { judgementOf } from "./facts.ts";
import { painter } from "./paint.ts";
import type { Report } from "./report.ts";
import { codeBlock } from "./wrap.ts";

export function renderMarkdown(report: Report): string {
  const { target, suite } = report;
  const text = `${target.name}, suite ${suite.version}\n\n${renderConsole(report, painter(false))}`;
  return `## ${judgementOf(report)}\n\n${codeBlock(withoutCommands(text))}`;
}
