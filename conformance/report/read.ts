/** Reads a JSON report that a run wrote. */
import { readFile } from "node:fs/promises";
import { firstLineOf } from "../foundation/message-of.ts";
import { safeLine } from "../foundation/safe-text.ts";
import { schemaFaults } from "../foundation/schema-faults.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { REPORT_FORMAT, reportSchema, type Report } from "./report.ts";

/** Throws `UsageError` when the file is no report, or one of another version. */
export async function readReport(file: string): Promise<Report> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new UsageError(`the report ${file} could not be read: ${firstLineOf(error)}`);
  }
  const format = (value as { format?: unknown } | null)?.format;
  if (format !== REPORT_FORMAT) {
    const found =
      typeof format === "string" ? `its format is "${safeLine(format.slice(0, 60))}"` : "it names no format";
    throw new UsageError(
      `${file} is no report of this version: ${found}, this suite reads "${REPORT_FORMAT}".\n` +
        "Write it with this version of the suite: run --report json=FILE",
    );
  }
  const checked = reportSchema.safeParse(value);
  if (checked.success) return checked.data;
  const faults = schemaFaults(checked.error).slice(0, 10).join("\n");
  throw new UsageError(`${file} is not a report as a run writes it:\n${faults}`);
}
