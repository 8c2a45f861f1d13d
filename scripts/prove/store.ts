/**
 * Keeps which pairs came out right, by the keys of their sources: one file in an ignored folder, a line for each addition,
 * the subject's key first. What came out wrong is never kept, so it is judged again.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Sources } from "./sources.ts";

/** Stands in place of a subject's key before the keys of the last whole run. */
const WHOLE_RUN = "whole-run";

export interface Store {
  /** The keys of what came out right with the subject of this key. */
  right(subject: string): ReadonlySet<string>;
  add(subject: string, keys: readonly string[]): void;
  forget(subject: string): void;
  /** All keys of the sources at the end of the last whole run. */
  lastWholeRun(): ReadonlySet<string>;
  /** Forgets what is no subject of these sources, too. */
  rememberWholeRun(sources: Sources): void;
}

const lineOf = (subject: string, keys: Iterable<string>) => `${[subject, ...keys].join(" ")}\n`;

export function openStore(file: string): Store {
  const right = new Map<string, Set<string>>();
  const add = (subject: string, keys: readonly string[]) => {
    right.set(subject, new Set([...(right.get(subject) ?? []), ...keys]));
  };
  const rewrite = () => writeFileSync(file, [...right].map(([subject, keys]) => lineOf(subject, keys)).join(""));

  mkdirSync(dirname(file), { recursive: true });
  for (const line of existsSync(file) ? readFileSync(file, "utf8").split("\n") : []) {
    // A line that an interrupted run has torn ends with a key that nothing has.
    const [subject = "", ...keys] = line.split(" ");
    add(subject, keys);
  }
  return {
    right: (subject) => right.get(subject) ?? new Set(),
    add(subject, keys) {
      add(subject, keys);
      appendFileSync(file, lineOf(subject, keys));
    },
    forget(subject) {
      if (right.delete(subject)) rewrite();
    },
    lastWholeRun: () => right.get(WHOLE_RUN) ?? new Set(),
    rememberWholeRun({ shared, subjects, cases }) {
      const present = new Set(Object.values(subjects));
      for (const subject of right.keys()) if (!present.has(subject)) right.delete(subject);
      add(WHOLE_RUN, [shared, ...present, ...Object.values(cases)]);
      rewrite();
    },
  };
}
