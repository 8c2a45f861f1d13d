/** Replay files: read for `replay` and `run --replays`, written by `run --keep`. */
import { access, constants, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Case } from "../harness/case.ts";
import { replayCase } from "../properties/replay-case.ts";
import { readJson } from "../foundation/read-file.ts";
import { checkReplay } from "../story/replay-file.ts";
import { storiesOf } from "../report/findings.ts";
import type { Report } from "../report/report.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { orUsageError } from "./command.ts";

/** A case for each file. Throws `UsageError` for a file that is not a replay file, and for two that give the same case id. */
export async function replayCases(files: readonly string[]): Promise<Case[]> {
  const found = await Promise.all(
    files.map(async (file) => replayCase(checkReplay(await readJson(file, file), file), file)),
  );
  const twice = found.find(({ id }, index) => found.findIndex((other) => other.id === id) !== index);
  if (twice !== undefined) throw new UsageError(`two replay files come to the case ${twice.id}: rename one`);
  return found;
}

/** The replay files of a folder, by name. Throws `UsageError`. */
export async function replaysIn(folder: string): Promise<string[]> {
  const names = await orUsageError(folder, () => readdir(folder));
  const files = names.filter((name) => name.endsWith(".json")).toSorted();
  if (files.length === 0) throw new UsageError(`--replays ${folder} holds no .json file`);
  return files.map((name) => join(folder, name));
}

/** Creates the folder if needed. Throws `UsageError` before a run of a minute, not after it, if nothing can be written there. */
export async function mustTakeReplays(folder: string): Promise<void> {
  await orUsageError(`--keep ${folder}`, async () => {
    // Not recursive: node would not end where the system makes no folders, such as under /proc.
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    await access(`${folder}/`, constants.W_OK);
  });
}

/**
 * Writes what the properties found into an existing folder: a replay file for each fault. Returns the names of the files.
 * Throws `UsageError`.
 */
export async function keepReplays(report: Report, folder: string): Promise<string[]> {
  const stories = report.results.filter(({ id }) => id.startsWith("PROPERTY-")).flatMap(storiesOf);
  const found = stories.flatMap(({ replay }) => replay ?? []);
  return Promise.all(
    found.map(async (replay) => {
      const { property, clause, seed, run } = replay;
      const file = join(folder, `${property.toLowerCase()}-${clause.toLowerCase()}-${seed}-${run}.json`);
      await orUsageError(file, () => writeFile(file, `${JSON.stringify(replay, null, 2)}\n`));
      return file;
    }),
  );
}
