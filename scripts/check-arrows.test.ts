import { expect, test } from "vitest";
import { allSources, forbiddenImports } from "./check-arrows.ts";

test("no import crosses the rooms the wrong way", () => {
  const sources = allSources();
  expect(sources.size).toBeGreaterThan(100);
  expect(forbiddenImports(sources)).toEqual([]);
});

test.each([
  ["conformance/a.ts", 'import { b } from "../plugin/index.ts";', "plugin/index.ts"],
  ["conformance/cases/a.ts", 'import type { B } from "../../fakes/b.ts";', "fakes/b.ts"],
  ["fixtures/a.ts", 'export * from "../conformance/b.ts";', "conformance/b.ts"],
  ["plugin/a.ts", 'const { b } = await import("../fakes/b.ts");', "fakes/b.ts"],
])("%s may not hold: %s", (file, text, imported) => {
  expect(forbiddenImports(new Map([[file, `${text}\n`]]))).toEqual([
    expect.stringContaining(`${file} imports ${imported}: `),
  ]);
});
