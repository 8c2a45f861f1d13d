import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { pages } from "./pages.ts";

test.each(Object.entries(pages))("%s is what its sources say (npm run pages writes it)", (path, make) => {
  const file = readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
  expect(file, `${path} is stale: npm run pages writes it`).toBe(make());
});
