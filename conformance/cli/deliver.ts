/** Where a report goes, and in which form: the same for every command that gives one. */
import { existsSync } from "node:fs";
import { open, rm, writeFile } from "node:fs/promises";
import { writeFileWhole } from "../../fixtures/output.ts";
import { formatNames, render, type Format } from "../report/formats.ts";
import type { Report } from "../report/report.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { oneOf } from "./command.ts";

export const deliveryOptions = {
  format: { type: "string", default: "console" },
  out: { type: "string" },
} as const;

export const deliveryUsage = `\
  --format FORMAT      ${formatNames.join(", ")} (default: console)
  --out FILE           write there instead of standard output`;

export interface Delivery {
  readonly format: Format;
  readonly out: string | undefined;
}

export async function deliveryOf(values: { format: string; out?: string | undefined }): Promise<Delivery> {
  const { out } = values;
  const format = oneOf("--format", values.format, formatNames);
  if (out !== undefined) await mustBeWritable(out);
  return { format, out };
}

/** Told before a run of a minute, not after it. What stands in the file stays until there is a report; a new one is not left empty. */
export async function mustBeWritable(file: string): Promise<void> {
  const isNew = !existsSync(file);
  await orUsageError(file, async () => (await open(file, "a")).close());
  if (isNew) await rm(file);
}

export async function deliver(report: Report, { format, out }: Delivery): Promise<void> {
  const colour = out === undefined && process.stdout.isTTY && process.env["NO_COLOR"] === undefined;
  await deliverText(render(report, format, colour), out);
}

/** Throws `UsageError` when the file cannot be written. */
export async function deliverText(text: string, out: string | undefined): Promise<void> {
  if (out === undefined) process.stdout.write(text);
  else await orUsageError(out, () => writeFile(out, text));
}

/** The same for a file that may hold what nobody can write again: it is replaced whole or left as it is. */
export async function replaceText(text: string, out: string): Promise<void> {
  await orUsageError(out, () => writeFileWhole(out, [text]));
}

async function orUsageError(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw new UsageError(
      `--out ${file} could not be written: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
