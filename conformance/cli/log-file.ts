/** The file of `run --log`, written while the run goes on, so that one can look into it. */
import { createWriteStream } from "node:fs";
import { once } from "node:events";
import { finished } from "node:stream/promises";
import { firstLineOf } from "../foundation/message-of.ts";
import { safeLine } from "../foundation/safe-text.ts";
import { orUsageError } from "./command.ts";

export interface LogFile {
  readonly write: (line: string) => void;
  /** Adds a line to `faults` if the log could not be written whole. */
  end(faults: string[]): Promise<void>;
}

/** Throws `UsageError` where the file cannot be written. */
export async function logFile(file: string): Promise<LogFile> {
  const stream = createWriteStream(file);
  await orUsageError(`--log ${file} could not be written`, () => once(stream, "open"));
  const ending = finished(stream).catch((error: unknown) => error);
  return {
    write: (line) => void (stream.writable && stream.write(line)),
    async end(faults) {
      stream.end();
      const error = await ending;
      if (error !== undefined)
        faults.push(`webhooks-conformance: --log ${file} could not be written: ${safeLine(firstLineOf(error))}\n`);
    },
  };
}
