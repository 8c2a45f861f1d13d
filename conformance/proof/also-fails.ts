/**
 * The cases that broken subjects turn red besides those that are expected: also-fails.json, subject by subject.
 * `npm run prove -- --all` complains of a red case that is neither expected nor listed. It does not complain
 * of a listed case that stays green: what rests on a race or on the clock is red in one run and green in the next.
 * `npm run prove -- --update` adds what it saw turn red and drops subjects and cases that no longer exist; it keeps the
 * other ids. So to shorten a list, delete it from the file and update; the reviewer reads the diff.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { cases } from "../catalogue.ts";
import { broken } from "./broken/index.ts";
import type { Subject } from "./subject.ts";

type AlsoFails = Readonly<Record<string, readonly string[]>>;

export const alsoFailsFile = fileURLToPath(new URL("also-fails.json", import.meta.url));

export const alsoFails = JSON.parse(readFileSync(alsoFailsFile, "utf8")) as AlsoFails;

/**
 * The cases that a subject has to fail, and those about the same clauses: whoever breaks a clause may fail all of its cases.
 * A property is about too many clauses to tell which one is broken.
 */
export function expectedOf({ kills }: Pick<Subject, "kills">): ReadonlySet<string> {
  const own = cases.filter(({ id }) => kills.includes(id) && !id.startsWith("PROPERTY-"));
  const clauses = new Set(own.flatMap((item) => item.clauses));
  const about = cases.filter((item) => item.clauses.some((clause) => clauses.has(clause)));
  return new Set([...kills, ...about.map(({ id }) => id)]);
}

/** The lists with what each subject was seen to turn red, sorted; a subject without such a case has none. */
export function updated(before: AlsoFails, seen: ReadonlyMap<string, readonly string[]>): AlsoFails {
  const known = new Set(cases.map(({ id }) => id));
  const lists = broken.map((subject): [string, string[]] => {
    const { id } = subject;
    const expected = expectedOf(subject);
    const ids = new Set([...(before[id] ?? []), ...(seen.get(id) ?? [])]);
    return [id, [...ids].filter((red) => known.has(red) && !expected.has(red)).toSorted()];
  });
  return Object.fromEntries(lists.filter(([, ids]) => ids.length > 0).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
