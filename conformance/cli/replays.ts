/** Replay files: read for `replay` and `run --replays`, written where a property found something. */
import { access, constants, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Case } from "../harness/case.ts";
import { replayCase } from "../properties/replay-case.ts";
import { parseReplay } from "../story/replay-file.ts";
import type { Report } from "../report/report.ts";
import { UsageError } from "../foundation/usage-error.ts";

/** Files as cases. Throws `UsageError` for one that cannot be read or is none, and for two that come to one name. */
export async function replayCases(files: readonly string[]): Promise<Case[]> {
  const found = await Promise.all(files.map(async (file) => replayCase(parseReplay(await textOf(file), file), file)));
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

/** Makes the folder where there is none: told before a run of a minute, not after it. Throws `UsageError` where nothing can be written there. */
export async function mustTakeReplays(folder: string): Promise<void> {
  await orUsageError(`--keep ${folder}`, async () => {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  });
}

/** Writes a replay file for each story that the properties found into an existing folder; gives the names. Throws `UsageError`. */
export async function keepReplays(report: Report, folder: string): Promise<string[]> {
  const stories = report.results
    .filter(({ id }) => id.startsWith("PROPERTY-"))
    .flatMap(({ story, otherStories = [] }) => [...(story === undefined ? [] : [story]), ...otherStories]);
  const found = stories.flatMap(({ replay }) => (replay === undefined ? [] : [replay]));
  return Promise.all(
    found.map(async (replay) => {
      const { property, clause, seed, run } = replay;
      const file = join(folder, `${property.toLowerCase()}-${clause.toLowerCase()}-${seed}-${run}.json`);
      await orUsageError(file, () => writeFile(file, `${JSON.stringify(replay, null, 2)}\n`));
      return file;
    }),
  );
}

const textOf = (file: string): Promise<string> => orUsageError(file, () => readFile(file, "utf8"));

async function orUsageError<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
