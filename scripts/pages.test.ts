import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { lostIds, pages } from "./pages.ts";

test.each(Object.entries(pages))("%s is what its sources say (npm run pages writes it)", async (path, make) => {
  const file = readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  expect(file, `${path} is stale: npm run pages writes it`).toBe(await make());
});

test("an id may be added, and goes only when it is retired", () => {
  expect(lostIds("A-B\nC-D\n", "A-B\nC-D\nE-F\n")).toEqual([]);
  expect(lostIds("A-B\nC-D\n", "A-B\n")).toEqual(["C-D"]);
  expect(lostIds("A-B\nC-D\n", "A-B\n", ["C-D"])).toEqual([]);
});
