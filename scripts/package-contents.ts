/** What the published package may hold: built code and types, schemas, pages, the CI action; nothing for development. */
import { existsSync } from "node:fs";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..");

/** Bytes of the tarball, at most. */
export const MAX_TARBALL_BYTES = 500_000;

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
export const development = /\.test\.|test-support|\/test-support\/|\/proof\/|\/peers\//;

/** Complaints about the files of a tarball, by their paths in it; an empty list is good. */
export function complaintsAbout(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (!allowed.some((pattern) => pattern.test(path))) return [`${path}: nothing that a user needs`];
    if (development.test(path)) return [`${path}: serves development only`];
    if (path.startsWith("dist/") && !SHARED.test(path) && !existsSync(join(root, sourceOf(path))))
      return [`${path}: its source is gone`];
    return [];
  });
}

function sourceOf(path: string): string {
  return path.replace(/^dist\//, "").replace(/(\.d\.ts|\.js)$/, ".ts");
}

/** What `npm pack --json` prints about the package. */
export interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly files: readonly { readonly path: string }[];
}

/** Reads the output of `npm pack --json`, which is a list or an object by name, depending on npm's version. */
export function packedOf(output: string): Packed {
  const [packed] = Object.values(JSON.parse(output) as Record<string, Packed>);
  if (packed === undefined) throw new Error("npm packed nothing");
  return packed;
}
