/** What the published package holds: built code and types, schemas, pages, the CI action; nothing for development. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");

/** Bytes of the tarball, at most. */
const MAX_TARBALL_BYTES = 500_000;

/** What several entries need: the build puts it together and names it. */
const SHARED = /^dist\/shared\/[\w-]+\.js$/;
const allowed = [
  /^package\.json$/,
  /^README\.md$/,
  /^LICENSE$/,
  /^action\.yml$/,
  /^docs\/[A-Z]+\.md$/,
  /^fakes\/mocks\/example\/[a-z-]+\.ts$/,
  /^conformance\/schema\/[a-z]+\.json$/,
  /^dist\/(plugin|fakes|fixtures|conformance)\/.+\.(js|d\.ts)$/,
  SHARED,
];
/** Paths of what serves development only. */
const development = /\.test\.|test-support|\/test-support\/|\/proof\/|\/peers\//;

interface Packed {
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly files: readonly string[] };

let packed: Packed | undefined;

const sourceOf = (path: string) => path.replace(/^dist\//, "").replace(/(\.d\.ts|\.js)$/, ".ts");

/** Packing needs no network, and takes seconds: it is done once. */
function pack(): Packed {
  if (packed !== undefined) return packed;
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts", "--offline"];
  const output = execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  // A list or an object by name, depending on npm's version.
  packed = Object.values(JSON.parse(output) as Record<string, Packed>)[0] as Packed;
  return packed;
}

test("the tarball holds what a user needs and nothing else, within its size", () => {
  const { files, size } = pack();
  const paths = files.map(({ path }) => path);
  expect(paths.filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([]);
  expect(paths.filter((path) => development.test(path))).toEqual([]);
  const built = paths.filter((path) => path.startsWith("dist/") && !SHARED.test(path));
  expect(built.filter((path) => !existsSync(join(root, sourceOf(path))))).toEqual([]);
  expect(size).toBeLessThan(MAX_TARBALL_BYTES);
  expect(paths.filter((path) => path.startsWith("conformance/schema/"))).toContain("conformance/schema/target.json");
});

test("the pages link to what is in the package, but for the repository's examples", () => {
  const paths = pack().files.map(({ path }) => path);
  const leftOut = manifest.files.filter((path) => path.startsWith("!")).map((path) => path.slice(1));
  const links = paths.filter((path) => path.endsWith(".md")).flatMap(linksOf);
  expect(links).toContain("docs/REFERENCE.md");
  const elsewhere = links.filter((link) => !paths.includes(link) && !leftOut.includes(link));
  const python = "conformance/examples/python";
  expect([...new Set(elsewhere)].toSorted()).toEqual([python, `${python}/target.json`]);
  // A registry's page of README has nothing else, and no repository is known.
  const ofReadme = linksOf("README.md");
  expect(ofReadme.length).toBeGreaterThan(8);
  expect(ofReadme.filter((link) => !paths.includes(link))).toEqual([]);
});

/** Where a page's links lead to, relative to the root; those to the web and within the page left out. */
function linksOf(page: string): string[] {
  const links = [...readFileSync(join(root, page), "utf8").matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)];
  const paths = links.map(([, link = ""]) => link).filter((link) => !/^\w+:/.test(link));
  return paths.map((path) => posix.join(posix.dirname(page), path).replace(/\/$/, ""));
}
