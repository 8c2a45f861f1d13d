/**
 * What the result of a pair (a subject and a case) depends on, as hashes. A pair's sources are the files that its subject
 * and its case come from, with all that those import; what every pair shares (plugin, fakes, runner, harness, invariants,
 * the shipped profiles, the lock file); and the versions of Node and of the suite, by which a case is new. A change of any
 * of them changes the pair's key.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cases } from "../../conformance/catalogue.ts";
import { suiteVersion } from "../../conformance/foundation/suite-version.ts";
import type { Case } from "../../conformance/harness/case.ts";
import { broken } from "../../conformance/proof/broken/index.ts";
import { different } from "../../conformance/proof/different/index.ts";
import { stubs } from "../../conformance/proof/stubs.ts";
import { propertyOf } from "../../conformance/properties/index.ts";
import { reachable, readImports } from "../arrows.ts";

const root = join(import.meta.dirname, "..", "..");

/** The files of the repository. */
export interface SourceTree {
  /** Which of them each imports. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
  /** A hash of the text of a file, by its path from the root. */
  readonly digestOf: (file: string) => string;
}

export interface Sources {
  /** Of what every pair shares. */
  readonly shared: string;
  /** By id; what is shared is part of each. */
  readonly subjects: Readonly<Record<string, string>>;
  readonly cases: Readonly<Record<string, string>>;
}

/** What judges every pair. The invariants watch all exchanges, so every result rests on them too. */
const JUDGES = ["conformance/proof/judge-subject.ts", "conformance/invariants/index.ts"];
/** Read without their imports: those are the catalogues, whose entries have keys of their own. */
const BESIDE = ["scripts/prove/judge.ts", "conformance/proof/proof.ts", "package-lock.json", "tsconfig.json"];
/** What judged modules read beside their imports. A test looks for further reads. */
const PROFILES = "conformance/interface/profiles";
export const CATALOGUES = [
  "conformance/catalogue.ts",
  "conformance/proof/broken/index.ts",
  "conformance/proof/different/index.ts",
];
/** Definitions are exported here. */
const DEFINING = /^conformance\/(cases|invariants|properties\/definitions|proof\/broken|proof\/different)\//;

export const hashOf = (...texts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, 16);

/** The files with all that they import, directly or not. */
export const closureOf = ({ imports }: SourceTree, files: readonly string[]): string[] =>
  [...reachable(imports, files)].toSorted();

/** A hash of the texts of the files and of all that they import. */
export const hashOfFiles = (tree: SourceTree, files: readonly string[]): string =>
  hashOf(...closureOf(tree, files).flatMap((file) => [file, tree.digestOf(file)]));

export function readTree(): SourceTree {
  const digests = new Map<string, string>();
  const digestOf = (file: string): string => {
    const digest = digests.get(file) ?? hashOf(readFileSync(join(root, file), "utf8"));
    digests.set(file, digest);
    return digest;
  };
  return { imports: readImports(), digestOf };
}

/** The keys of all subjects and cases as the files are now. */
export async function readSources(tree: SourceTree = readTree()): Promise<Sources> {
  const profiles = readdirSync(join(root, PROFILES)).map((name) => `${PROFILES}/${name}`);
  const others = [...BESIDE, ...profiles.toSorted()].flatMap((file) => [file, tree.digestOf(file)]);
  const shared = hashOf(process.version, process.platform, suiteVersion(), hashOfFiles(tree, JUDGES), ...others);
  const fileOf = await definingFiles(tree);
  const filesHash = (files: readonly string[]) => hashOfFiles(tree, files);
  // A definition that no file exports is made by a list: then it depends on all that the list imports.
  const subjects = [...broken, ...different].map((subject): [string, string] => {
    const file = fileOf(subject.change);
    return [subject.id, hashOf(shared, JSON.stringify(subject), filesHash(file === undefined ? CATALOGUES : [file]))];
  });
  const ofStubs = stubs.map(({ id }): [string, string] => [id, hashOf(shared, id)]);
  const ofCases = cases.map((item): [string, string] => {
    return [item.id, hashOf(JSON.stringify(item), filesHash(filesOfCase(item, fileOf)))];
  });
  return { shared, subjects: Object.fromEntries([...subjects, ...ofStubs]), cases: Object.fromEntries(ofCases) };
}

type FileOf = (definition: object) => string | undefined;

function filesOfCase(item: Case, fileOf: FileOf): readonly string[] {
  const property = propertyOf(item.id);
  const file = fileOf(property ?? item) ?? "conformance/catalogue.ts";
  return property === undefined ? [file] : [file, "conformance/properties/property-case.ts"];
}

/** Where each case, property and change of a subject is exported; of several files, the one that imports least. */
async function definingFiles(tree: SourceTree): Promise<FileOf> {
  const files = closureOf(tree, CATALOGUES).filter((file) => DEFINING.test(file));
  const sizes = new Map(files.map((file) => [file, closureOf(tree, [file]).length]));
  const found = new Map<object, string>();
  for (const file of files.toSorted((a, b) => (sizes.get(a) ?? 0) - (sizes.get(b) ?? 0))) {
    const exported = Object.values((await import(join(root, file))) as Record<string, unknown>).flat();
    for (const one of exported.filter((value) => typeof value === "object" && value !== null)) {
      const definition: object = "change" in one ? (one.change as object) : one;
      if (!found.has(definition)) found.set(definition, file);
    }
  }
  return (definition) => found.get(definition);
}
