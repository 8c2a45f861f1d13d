import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { firstLineOf } from "./message-of.ts";
import { safeLine } from "./safe-text.ts";
import { UsageError } from "./usage-error.ts";

/** A whole red run writes about 1 MB: what is longer is no file of the kit, and would need a lot of memory. */
const MOST_MB = 16;
/** What walks a value calls itself for each level: far below the depth at which it could not. */
const MOST_LEVELS = 1000;

/** The text of a file that the user names. `what` begins the `UsageError`, for a longer file too: `the report r.json`. */
export async function readText(file: string, what: string, mostMb = MOST_MB): Promise<string> {
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw new Error("it is a folder");
    // Nobody may ever write into a pipe, or end it.
    if (!found.isFile())
      throw new Error("it is no regular file (<(...) is a pipe): write what it holds to a file first");
    let text = "";
    for await (const piece of createReadStream(file, "utf8")) {
      text += String(piece);
      if (text.length > mostMb * 1_000_000) throw new Error(`it is longer than ${mostMb} MB`);
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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${what} is not JSON: ${safeLine(firstLineOf(error))}`);
  }
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MOST_LEVELS) throw new UsageError(`${what} is nested deeper than ${MOST_LEVELS} levels`);
    level = level.flatMap((each) => (typeof each === "object" && each !== null ? Object.values(each) : []));
  }
  return value;
}
