/** Reads a JSON report that a run wrote. */
import { readFile, stat } from "node:fs/promises";
import { firstLineOf } from "../foundation/message-of.ts";
import { safeLine } from "../foundation/safe-text.ts";
import { schemaFaults } from "../foundation/schema-faults.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { REPORT_FORMAT, reportSchema, type Report } from "./report.ts";

/** A whole red run writes about 1 MB. More than this is no report of a run, and would need a lot of memory. */
const MOST_MB = 64;

/** Throws `UsageError` when the file is no report, one of another version, or larger than any run writes. */
export async function readReport(file: string): Promise<Report> {
  let value: unknown;
  try {
    const { size } = await stat(file);
    if (size > MOST_MB * 1_000_000)
      throw new Error(`it has ${Math.round(size / 1_000_000)} MB, and no run writes more than ${MOST_MB} MB`);
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
