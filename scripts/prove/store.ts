/**
 * Keeps which pairs came out right, by the keys of their sources: a JSON file a subject, in an ignored folder. What came
 * out wrong is never kept, so it is judged again. A file that cannot be read counts as absent.
 */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Sources } from "./sources.ts";

/** The subject's key, and keys of its cases and of its own cases as one run. */
const kept = z.object({ subject: z.string(), right: z.array(z.string()) });
const keys = z.record(z.string(), z.string());
const wholeRun = z.object({ shared: z.string(), subjects: keys, cases: keys });

export interface Store {
  /** The keys of what came out right with this subject; none when the subject's key is another. */
  right(subject: string): ReadonlySet<string>;
  add(subject: string, keys: readonly string[]): void;
  forget(subject: string): void;
  /** The sources at the end of the last whole run. */
  lastWholeRun(): Sources | undefined;
  rememberWholeRun(): void;
}

/** `complain` gets a sentence about each file that is no result of the proof. */
export function openStore(folder: string, sources: Sources, complain: (sentence: string) => void): Store {
  const fileOf = (subject: string) => join(folder, "subjects", `${encodeURIComponent(subject)}.json`);
  const wholeRunFile = join(folder, "whole-run.json");
  const known = new Map<string, Set<string>>();

  function read<T>(file: string, schema: z.ZodType<T>): T | undefined {
    if (!existsSync(file)) return undefined;
    try {
      return schema.parse(JSON.parse(readFileSync(file, "utf8")));
    } catch {
      complain(`${file} is ignored: it is no result that the proof has kept; delete it, or judge again`);
      return undefined;
    }
  }

  function right(subject: string): Set<string> {
    let found = known.get(subject);
    if (found === undefined) {
      const before = read(fileOf(subject), kept);
      found = new Set(before?.subject === sources.subjects[subject] ? before?.right : []);
      known.set(subject, found);
    }
    return found;
  }

  return {
    right,
    add(subject, more) {
      const all = right(subject);
      for (const key of more) all.add(key);
      write(fileOf(subject), { subject: sources.subjects[subject], right: [...all] });
    },
    forget(subject) {
      known.set(subject, new Set());
      rmSync(fileOf(subject), { force: true });
    },
    lastWholeRun: () => read(wholeRunFile, wholeRun),
    rememberWholeRun: () => write(wholeRunFile, sources),
  };
}

// Renamed into place: an interrupted run leaves the old file or the new one.
function write(file: string, value: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(value));
  renameSync(`${file}.new`, file);
}
