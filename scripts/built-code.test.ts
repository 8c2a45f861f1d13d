/** What the build puts together: nothing for development, and no import that package.json does not name. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
/** Paths of what serves development only. */
const development = /\.test\.|test-support|\/test-support\/|\/proof\/|\/peers\//;
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly dependencies: Record<string, string>;
  readonly peerDependenciesMeta: Record<string, { readonly optional: boolean }>;
};

const importOfPackage = /(?:^import |\bfrom |\bimport\()"([^."][^"]*)"(?:;$|\))/gm;

test("built code imports only node's modules, its own files and what package.json depends on", () => {
  const files = readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" });
  // The one way in that needs the optional peer.
  const wantsPeer = join("fakes", "mocks", "msw.js");
  const imported = files
    .filter((path) => path.endsWith(".js") && path !== wantsPeer)
    .flatMap((path) => [...readFileSync(join(root, "dist", path), "utf8").matchAll(importOfPackage)])
    .map(([, name = ""]) =>
      name
        .split("/")
        .slice(0, name.startsWith("@") ? 2 : 1)
        .join("/"),
    );
  expect(imported).toContain("zod");
  expect(manifest.peerDependenciesMeta).toEqual({ msw: { optional: true } });
  expect(files).toContain(wantsPeer);
  expect(imported.filter((name) => !name.startsWith("node:") && manifest.dependencies[name] === undefined)).toEqual([]);
});

test("built code is made of no source that serves development only", () => {
  const maps = readdirSync(join(root, "dist"), { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".js.map"),
  );
  const sources = maps.flatMap((path) => {
    const map = JSON.parse(readFileSync(join(root, "dist", path), "utf8")) as { sources: string[] };
    return map.sources.map((source) => relative(root, join(root, "dist", path, "..", source)));
  });
  expect(sources).toContain(join("conformance", "run", "run.ts"));
  expect(sources.filter((source) => development.test(source))).toEqual([]);
});
