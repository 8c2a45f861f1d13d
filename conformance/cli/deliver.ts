/** Where a report goes, and in which format: the same for every command that writes one. */
import { constants } from "node:fs";
import { access, open, rm, writeFile } from "node:fs/promises";
import { foundAt, writeFileWhole } from "../../fixtures/output.ts";
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
export async function mustBeWritable(file: string, name = `--out ${file}`): Promise<void> {
  await orUsageError(`${name} could not be written`, async () => {
    const found = await foundAt(file);
    // To open a pipe would wait for its reader, and to close it again would end what the reader gets.
    if (found?.isFIFO()) return access(file, constants.W_OK);
    await (await open(file, found === undefined ? "ax" : "a")).close();
    if (found === undefined) await rm(file);
  });
}

export async function deliver(report: Report, { format, out }: Delivery): Promise<void> {
  const colour = out === undefined && process.stdout.isTTY && process.env["NO_COLOR"] === undefined;
  await deliverText(render(report, format, colour), out);
}

/** Throws `UsageError` when the file cannot be written. */
export async function deliverText(text: string, out: string | undefined): Promise<void> {
  if (out === undefined) styled.print(text);
  else await orUsageError(notWritten(out), () => writeTo(out, text));
}

async function writeTo(file: string, text: string): Promise<void> {
  const found = await foundAt(file);
  const reader = found?.isFIFO() ? await readerOf(file) : undefined;
  try {
    // Exclusively where there was nothing: a link that somebody made meanwhile is not followed.
    await writeFile(file, text, { flag: found === undefined ? "wx" : "w" });
  } finally {
    await reader?.close();
  }
}

/** How long a pipe may be without a reader, ms. */
const READER_MS = 5000;

/** Waits until somebody reads from the pipe: to open it for writing would wait without end. */
async function readerOf(pipe: string) {
  for (const deadline = Date.now() + READER_MS; ; await new Promise((wake) => setTimeout(wake, 50))) {
    try {
      return await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENXIO") throw error;
      if (Date.now() > deadline) throw new Error("it is a pipe that nobody reads", { cause: error });
    }
  }
}

/** The same for a file with hand-written content: it is replaced whole or left as it is. */
export async function replaceText(text: string, out: string): Promise<void> {
  await orUsageError(notWritten(out), () => writeFileWhole(out, [text]));
}

const notWritten = (file: string) => `--out ${file} could not be written`;
