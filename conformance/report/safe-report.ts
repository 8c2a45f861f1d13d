import { safeLine, safeStrings } from "../foundation/safe-text.ts";
import type { Report } from "./report.ts";

/** Characters of a text. A run writes no longer ones, but commands that send a whole request again. */
const LONGEST = 2000;
const commands = new Set(["replay", "again"]);

/**
 * The report with nothing in its strings that acts on a terminal, or is shown in another order than it stands in. No
 * text is very long: the report may come from a file that anybody wrote. So no renderer has to cut a text.
 */
export const safeReport = (report: Report): Report =>
  safeStrings(report, (text, name) => {
    // The one text of several lines.
    if (name === "stderrTail") return text.split("\n").map(safeLine).join("\n");
    return safeLine(commands.has(name) ? text : cutText(text));
  });

/** The text, or its beginning with a note of how long it is. */
function cutText(text: string): string {
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, LONGEST).replace(/\p{Cs}$/u, "")}... (cut: ${text.length} characters)`;
}
