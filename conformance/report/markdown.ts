/**
 * Markdown for a CI job's summary: the verdict as its heading, the printed report as a block of code, and as another
 * one every failure that turns the run red and every case left open, which the printed report may cut.
 */
import { withoutCommands } from "../foundation/safe-text.ts";
import { renderConsole } from "./console.ts";
import { judgementOf } from "./facts.ts";
import type { Report } from "./report.ts";
import { inOneSentence, tellingOf } from "./telling.ts";
import { codeBlock, painter } from "./wrap.ts";

/** Bytes of the whole: GitHub refuses a summary above 1 MB, and further steps may add to it. */
const LIMIT = 512 * 1024;
/** For the line that counts what is left out, bytes. */
const REST = 200;

export function renderMarkdown(report: Report): string {
  const { target, suite } = report;
  const text = `${target.name}, suite ${suite.version}\n\n${renderConsole(report, painter(false))}`;
  const top = `## ${judgementOf(report)}\n\n${blockOf(text)}`;
  return top + wrongCases(report, LIMIT - Buffer.byteLength(top) - REST);
}

const blockOf = (text: string) => codeBlock(withoutCommands(text));

/** What turns the run red or leaves it open, a line each, in at most `room` bytes. */
function wrongCases(report: Report, room: number): string {
  const results = new Map(report.results.map((result) => [result.id, result]));
  const wrong = [...report.verdict.failed, ...report.verdict.open].flatMap((id) => results.get(id) ?? []);
  if (wrong.length === 0) return "";
  const lines: string[] = [];
  let size = 0;
  for (const result of wrong) {
    const line = blockOf(`${result.id}: ${inOneSentence(tellingOf(result, report))}\n`);
    size += Buffer.byteLength(line);
    if (size > room) break;
    lines.push(line);
  }
  const left = wrong.length - lines.length;
  const more = left > 0 ? blockOf(`and ${left} more: the JSON report has them\n`) : "";
  return `\n### Failed or left open: ${wrong.length}\n\n${lines.join("")}${more}`;
}
