/** Reads a JSON report that a run wrote. */
import { readJson } from "../foundation/read-file.ts";
import { safeLine } from "../foundation/safe-text.ts";
import { schemaFaults } from "../foundation/schema-faults.ts";
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
  const checked = reportSchema.safeParse(value);
  if (checked.success) return checked.data;
  const faults = schemaFaults(checked.error);
  throw new UsageError(`${file} is not a report as a run writes it:\n${faults}`);
}
