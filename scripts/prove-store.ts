/**
 * Keeps which pairs came out right, by the keys of their sources: a JSON file a subject, in an ignored folder. What came
 * out wrong is never kept, so it is judged again. A file that cannot be read counts as absent.
 */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Sources } from "./prove-sources.ts";

const kept = z.object({
  /** The subject's key. */
  subject: z.string(),
  /** Keys of the cases, and of the subject's own cases as one run. */
  right: z.array(z.string()),
});
const wholeRun = z.object({
  shared: z.string(),
  subjects: z.record(z.string(), z.string()),
  cases: z.record(z.string(), z.string()),
});

export interface Store {
  /** The keys of what came out right with this subject; none when the subject's key is another. */
  right(subject: string): ReadonlySet<string>;
  add(subject: string, keys: readonly string[]): void;
  forget(subject: string): void;
  /** The sources at the end of the last whole run. */
  lastWholeRun(): Sources | undefined;
  rememberWholeRun(): void;
}

/** The value in a file; undefined when there is no such file, or no such value in it. */
function read<T>(file: string, schema: z.ZodType<T>, complain: (sentence: string) => void): T | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    complain(`${file} is ignored: it is no result that the proof has kept; delete it, or judge again`);
    return undefined;
  }
}

// Renamed into place: an interrupted run leaves the old file or the new one.
function write(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(value));
  renameSync(`${file}.new`, file);
}

/** `complain` gets a sentence about each file that is no result of the proof. */
export function openStore(folder: string, sources: Sources, complain: (sentence: string) => void): Store {
  const fileOf = (subject: string) => join(folder, "subjects", `${encodeURIComponent(subject)}.json`);
  const wholeRunFile = join(folder, "whole-run.json");
  const right = new Map<string, Set<string>>();

  function load(subject: string): Set<string> {
    const known = right.get(subject);
    if (known !== undefined) return known;
    const found = read(fileOf(subject), kept, complain);
    const keys = new Set(found !== undefined && found.subject === sources.subjects[subject] ? found.right : []);
    right.set(subject, keys);
    return keys;
  }

  return {
    right: load,
    add(subject, keys) {
      const all = load(subject);
      for (const key of keys) all.add(key);
      write(fileOf(subject), { subject: sources.subjects[subject], right: [...all] });
    },
    forget(subject) {
      right.set(subject, new Set());
      rmSync(fileOf(subject), { force: true });
    },
    lastWholeRun: () => read(wholeRunFile, wholeRun, complain),
    rememberWholeRun: () => write(wholeRunFile, sources),
  };
}
