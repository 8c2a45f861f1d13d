import { expect, test } from "vitest";
import { faultsIn, importsOf, longestChain, readImports } from "./arrows.ts";

const faultsOf = (...texts: readonly (readonly [file: string, text: string])[]) =>
  faultsIn(new Map(texts.map(([file, text]) => [file, importsOf(file, text)])));

test("every import goes down, and the chain of rooms is no longer than twelve", () => {
  const imports = readImports();
  expect(imports.size).toBeGreaterThan(300);
  expect(faultsIn(imports)).toEqual([]);
  expect(longestChain(imports).length).toBeLessThanOrEqual(12);
});

test.each([
  ["conformance/cases/a.ts", 'import { b } from "../../plugin/index.ts";', "plugin/index.ts"],
  ["conformance/cases/a.ts", 'import type { B } from "../../fakes/b.ts";', "fakes/b.ts"],
  ["fixtures/a.ts", 'export * from "../conformance/http/b.ts";', "conformance/http/b.ts"],
  ["plugin/a.ts", 'const { b } = await import("../fakes/b.ts");', "fakes/b.ts"],
  ["conformance/http/a.ts", 'let b: import("../run/b.ts").B;', "conformance/run/b.ts"],
  ["fakes/a.ts", 'import { b } from "../plugin/codes.ts";', "plugin/codes.ts"],
])("%s may not hold: %s", (file, text, imported) => {
  expect(faultsOf([file, text])).toEqual([expect.stringContaining(`${file} imports ${imported}: `)]);
});

test("files that import each other's types are a circle", () => {
  const circle = faultsOf(
    ["plugin/a.ts", 'import type { B } from "./b.ts";'],
    ["plugin/b.ts", 'import { c } from "./c.ts";'],
    ["plugin/c.ts", 'export type { A } from "./a.ts";'],
    ["plugin/d.ts", 'import { a } from "./a.ts";'],
  );
  expect(circle).toEqual(["a circle of imports: plugin/a.ts, plugin/b.ts, plugin/c.ts"]);
});

test("a folder that no room names is complained of", () => {
  expect(faultsOf(["conformance/attic/a.ts", 'import { b } from "../http/b.ts";'])).toEqual([
    "conformance/attic/a.ts is in no room: add its folder to scripts/rooms.ts",
  ]);
});
