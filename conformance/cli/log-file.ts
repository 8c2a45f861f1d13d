/** The file of `run --log`, written while the run goes on, so that one can look into it. */
import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { finished } from "node:stream/promises";
import { firstLineOf } from "../foundation/message-of.ts";
import { safeLine } from "../foundation/safe-text.ts";
import { orUsageError } from "./command.ts";

/** Throws `UsageError` where the file cannot be written. */
export async function logFile(file: string) {
  const stream = createWriteStream(file);
  await orUsageError(`--log ${file} could not be written`, () => once(stream, "open"));
  const ending = finished(stream).catch((error: unknown) => error);
  return {
    write: (line: string) => void (stream.writable && stream.write(line)),
    /** Adds a line to `faults` if the log could not be written whole. */
    async end(faults: string[]) {
      stream.end();
      const error = await ending;
      if (error !== undefined)
        faults.push(`webhooks-conformance: --log ${file} could not be written: ${safeLine(firstLineOf(error))}\n`);
    },
  };
}
