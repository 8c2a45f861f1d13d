/** Folders for the files of a run, which hold secrets: for this user alone, gone with the process that made them. */
import { chmodSync, existsSync, lstatSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { firstLineOf } from "../foundation/message-of.ts";
import { UsageError } from "../foundation/usage-error.ts";

/** Folders of this process, and files that hold its secrets elsewhere; true: could not be removed. */
const made = new Map<string, boolean>();

// However the process ends, if it can still do something.
process.on("exit", () => [...made.keys()].forEach(removeNow));

/** A new, empty folder with mode 0700. Throws `UsageError` where none can be made. */
export async function newStateFolder(): Promise<string> {
  try {
    const folder = await mkdtemp(join(tmpdir(), "webhooks-conformance-"));
    made.set(folder, false);
    return folder;
  } catch (error) {
    const where = `no folder for the files of the run can be made in ${tmpdir()}: ${firstLineOf(error)}`;
    throw new UsageError(`${where}\nset TMPDIR to a folder that exists and that you may write to`);
  }
}

/** Has this file or folder removed when the process ends. */
export function removeAtExit(path: string): void {
  made.set(path, false);
}

/** Removes what can be removed: a run does not fail by what its target leaves behind. */
export async function removeStateFolder(folder: string): Promise<void> {
  // A process of the target may still write there.
  await rm(folder, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  removeNow(folder);
}

/** What could not be removed, a sentence for each. */
export function leftBehind(): string[] {
  return [...made].flatMap(([path, stays]) => (stays ? [`${path} could not be removed: remove it by hand`] : []));
}

function removeNow(path: string): void {
  removeTree(path);
  if (existsSync(path)) made.set(path, true);
  else made.delete(path);
}

/** Removes every file that can be removed, also from folders that are read-only. Follows no link, and never throws. */
function removeTree(path: string): void {
  try {
    if (!lstatSync(path).isDirectory()) return unlinkSync(path);
    chmodSync(path, 0o700);
    for (const name of readdirSync(path)) removeTree(join(path, name));
    rmdirSync(path);
  } catch {
    // What stays is told.
  }
}
