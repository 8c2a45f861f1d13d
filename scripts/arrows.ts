/**
 * `npm run arrows`: checks every import, types included, against the list of rooms. An import of a higher room, one
 * through a wall, and a circle of files fail. Prints the rooms and the longest chain of imports between them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { rooms, walls, type Room } from "./rooms.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");

/** Each file, by its path from the root, with the files of this repository that it imports. */
type Imports = ReadonlyMap<string, readonly string[]>;

// Tests look at whatever they need.
const isTest = (file: string) => file.endsWith(".test.ts") || file.includes("test-support");

const roomOf = (file: string): Room | undefined =>
  rooms.filter(({ path }) => file.startsWith(path)).toSorted((a, b) => b.path.length - a.path.length)[0];

/** The imports of a text: from, import and import(), of values and of types. */
export function importsOf(file: string, text: string): string[] {
  const specifiers = text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'](\.[^"']+)["']/g);
  return [...new Set([...specifiers].map(([, path = ""]) => posix.join(posix.dirname(file), path)))];
}

/** The imports of all files but tests. */
export function readImports(): Imports {
  const folders = [...new Set(rooms.map(({ path }) => path.split("/")[0] ?? ""))];
  const files = folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((file) => !isTest(file));
  return new Map(files.map((file) => [file, importsOf(file, readFileSync(join(root, file), "utf8"))]));
}

/** A line for each import that is forbidden, and for each circle. */
export function faultsIn(imports: Imports): string[] {
  const upward = eachImport(imports, (file, imported) => {
    const [own, other] = [roomOf(file), roomOf(imported)];
    if (own === undefined) return [`${file} is in no room: add its folder to scripts/rooms.ts`];
    if (other === undefined || rooms.indexOf(other) <= rooms.indexOf(own)) return [];
    return [`${file} imports ${imported}: ${other.path} is above ${own.path}`];
  });
  const through = eachImport(imports, (file, imported) =>
    walls
      .filter(({ from, to }) => startsWithAny(file, from) && startsWithAny(imported, to))
      .filter(({ except }) => !startsWithAny(file, except) && !startsWithAny(imported, except))
      .map(({ because }) => `${file} imports ${imported}: ${because}`),
  );
  const circles = circlesIn(imports).map((files) => `a circle of imports: ${files.join(", ")}`);
  return [...new Set([...upward, ...through, ...circles])];
}

const startsWithAny = (file: string, paths: readonly string[]) => paths.some((path) => file.startsWith(path));

const eachImport = (imports: Imports, faults: (file: string, imported: string) => string[]): string[] =>
  [...imports].flatMap(([file, imported]) => imported.flatMap((one) => faults(file, one)));

/** The files with all that they import, directly or not. */
export function reachable(imports: Imports, files: readonly string[]): Set<string> {
  const found = new Set(files);
  // A set that grows while it is walked is walked to its end.
  for (const file of found) for (const next of imports.get(file) ?? []) found.add(next);
  return found;
}

/** Files that import each other, directly or not; each circle by the first of its names. */
function circlesIn(imports: Imports): string[][] {
  const reached = new Map([...imports].map(([file, imported]) => [file, reachable(imports, imported)]));
  return [...reached].flatMap(([file, others]) => {
    const circle = [...others].filter((other) => reached.get(other)?.has(file)).toSorted();
    return circle.length > 1 && circle[0] === file ? [circle] : [];
  });
}

/** The longest chain of rooms of which each imports the next. Every arrow has to go down. */
export function longestChain(imports: Imports): string[] {
  const below = new Map<string, Set<string>>();
  for (const [file, imported] of imports) {
    const own = roomOf(file)?.path ?? "";
    const others = imported.map((one) => roomOf(one)?.path ?? "").filter((path) => path !== own);
    below.set(own, new Set([...(below.get(own) ?? []), ...others]));
  }
  const chains = new Map<string, string[]>();
  for (const { path } of rooms) {
    const tails = [...(below.get(path) ?? [])].map((other) => chains.get(other) ?? []);
    chains.set(path, [path, ...(tails.toSorted((a, b) => b.length - a.length)[0] ?? [])]);
  }
  return [...chains.values()].toSorted((a, b) => b.length - a.length)[0] ?? [];
}

if (process.argv[1] === import.meta.filename) {
  const imports = readImports();
  const faults = faultsIn(imports);
  if (faults.length === 0) {
    for (const { path, holds } of rooms.toReversed()) process.stdout.write(`${path.padEnd(33)}${holds}\n`);
    const chain = longestChain(imports);
    const count = `${rooms.length} rooms, ${imports.size} files`;
    process.stdout.write(`arrows: ${count}, no circle, every import goes down; depth ${chain.length}:\n`);
    process.stdout.write(`  ${chain.join(" -> ")}\n`);
  } else {
    for (const line of faults) process.stderr.write(`${line}\n`);
    process.stderr.write(`arrows: ${faults.length} faults\n`);
    process.exitCode = 1;
  }
}
