/**
 * Annotations of a GitHub workflow: commands that its runner reads from the log. Whatever a target has said is inside of
 * a command's message, where GitHub takes no line for another command.
 */
import { safeStrings, withoutCommands } from "../foundation/safe-text.ts";
import { firstOf, troublesOf, troubleTitle } from "./causes.ts";
import { verdictLine } from "./console-summary.ts";
import type { Report } from "./report.ts";
import { inOneSentence, tellingOf } from "./telling.ts";

/** GitHub shows ten errors and ten warnings of a step. */
const MOST = 10;

export function githubAnnotations(given: Report): string {
  const report = safeStrings(given);
  const red = new Set([...report.verdict.failed, ...report.verdict.open]);
  const verdict = report.verdict.exitCode === 0 ? "notice" : "error";
  const told = { error: verdict === "error" ? 1 : 0, warning: 0 };
  const lines = troublesOf(report).flatMap((trouble) => {
    const { id, title, again, ...telling } = tellingOf(firstOf(trouble), report);
    const kind = red.has(id) ? "error" : "warning";
    told[kind] += 1;
    const message = [title, inOneSentence(telling), troubleTitle(trouble), ...(again === undefined ? [] : [again])];
    return told[kind] > MOST ? [] : [command(kind, id, message.join("\n"))];
  });
  return `${[command(verdict, "webhooks-conformance", verdictLine(report)), ...lines].join("\n")}\n`;
}

function command(kind: string, title: string, message: string): string {
  const name = escaped(withoutCommands(title)).replaceAll(":", "%3A").replaceAll(",", "%2C");
  return `::${kind} title=${name}::${escaped(withoutCommands(message))}`;
}

/** As the runner's own toolkit escapes. */
function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
