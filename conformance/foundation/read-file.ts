import { createReadStream } from "node:fs";
import { firstLineOf } from "./message-of.ts";
import { safeLine } from "./safe-text.ts";
import { UsageError } from "./usage-error.ts";

/** A whole red run writes about 1 MB: what is longer is no file of the kit, and would need a lot of memory. */
const MOST_MB = 16;

/** The text of a file that the user names. `what` begins the `UsageError`, for a longer file too: `the report r.json`. */
export async function readText(file: string, what: string): Promise<string> {
  try {
    let text = "";
    for await (const piece of createReadStream(file, "utf8")) {
      text += String(piece);
      if (text.length > MOST_MB * 1_000_000) throw new Error(`it is longer than ${MOST_MB} MB`);
    }
    // Windows' editors begin a file with a byte order mark, which is no part of its text.
    return text.replace(/^\uFEFF/, "");
  } catch (error) {
    throw new UsageError(`${what} could not be read: ${firstLineOf(error)}`);
  }
}

/** The same of a file that holds JSON. */
export async function readJson(file: string, what: string): Promise<unknown> {
  const text = await readText(file, what);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${what} is not JSON: ${safeLine(firstLineOf(error))}`);
  }
}
