/** Where a report goes, and in which format: the same for every command that writes one. */
import { existsSync } from "node:fs";
import { open, rm, writeFile } from "node:fs/promises";
import { writeFileWhole } from "../../fixtures/output.ts";
import { formatNames, render, type Format } from "../report/formats.ts";
import type { Report } from "../report/report.ts";
import { oneOf, orUsageError } from "./command.ts";
import { styled } from "./print.ts";

export const deliveryOptions = {
  format: { type: "string", default: "console" },
  out: { type: "string" },
} as const;

export const deliveryUsage = `\
  --format FORMAT      ${formatNames.join(", ")} (default: console)
  --out FILE           write there instead of standard output`;

interface Delivery {
  readonly format: Format;
  readonly out: string | undefined;
}

export async function deliveryOf(values: { format: string; out?: string | undefined }): Promise<Delivery> {
  const { out } = values;
  const format = oneOf("--format", values.format, formatNames);
  if (out !== undefined) await mustBeWritable(out);
  return { format, out };
}

/** Throws `UsageError` before a run of a minute, not after it. Keeps what is in the file, and leaves no empty new file. */
export async function mustBeWritable(file: string): Promise<void> {
  const isNew = !existsSync(file);
  await orUsageError(notWritten(file), async () => (await open(file, "a")).close());
  if (isNew) await rm(file);
}

export async function deliver(report: Report, { format, out }: Delivery): Promise<void> {
  const colour = out === undefined && process.stdout.isTTY && process.env["NO_COLOR"] === undefined;
  await deliverText(render(report, format, colour), out);
}

/** Throws `UsageError` when the file cannot be written. */
export async function deliverText(text: string, out: string | undefined): Promise<void> {
  if (out === undefined) styled.print(text);
  else await orUsageError(notWritten(out), () => writeFile(out, text));
}

/** The same for a file with hand-written content: it is replaced whole or left as it is. */
export async function replaceText(text: string, out: string): Promise<void> {
  await orUsageError(notWritten(out), () => writeFileWhole(out, [text]));
}

const notWritten = (file: string) => `--out ${file} could not be written`;
