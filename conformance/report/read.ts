/** Reads a JSON report, and takes out of its strings what acts on who reads them. */
import { readJson } from "../foundation/read-file.ts";
import { safeLine, safeStrings } from "../foundation/safe-text.ts";
import { checkedBy } from "../foundation/schema-faults.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { REPORT_FORMAT, reportSchema, type Report } from "./report.ts";

/** Throws `UsageError` when the file is no report, one of another version, or larger than any run writes. */
export async function readReport(file: string): Promise<Report> {
  const value = await readJson(file, `the report ${file}`);
  const format = (value as { format?: unknown } | null)?.format;
  if (format !== REPORT_FORMAT) {
    const found =
      typeof format === "string" ? `its format is "${safeLine(format.slice(0, 60))}"` : "it names no format";
    throw new UsageError(
      `${file} is no report of this version: ${found}, this suite reads "${REPORT_FORMAT}".\n` +
        "Write it with this version of the suite: run --report json=FILE",
    );
  }
  return checkedBy(reportSchema, value, `${file} is not a report as a run writes it`);
}

/** Characters of a text. A run writes no longer ones, but commands that send a whole request again. */
const LONGEST = 2000;
const commands = new Set(["replay", "again", "serve"]);

/**
 * The report with nothing in its strings that acts on a terminal, or is shown in another order than it stands in. No
 * text is very long: the report may come from a file that anybody wrote. So no renderer has to cut a text.
 */
export const safeReport = (report: Report): Report =>
  safeStrings(report, (text, name) => {
    // The one text of several lines.
    if (name === "stderrTail") return text.split("\n").map(safeLine).join("\n");
    if (commands.has(name) || text.length <= LONGEST) return safeLine(text);
    return safeLine(`${text.slice(0, LONGEST).replace(/\p{Cs}$/u, "")}... (cut: ${text.length} characters)`);
  });
