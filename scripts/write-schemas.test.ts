import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { schemaFiles } from "./write-schemas.ts";

test.each([...schemaFiles()])("schema/%s is the one that the suite checks with", (name, text) => {
  // Written anew by: npm run schemas
  expect(readFileSync(new URL(`../conformance/schema/${name}`, import.meta.url), "utf8")).toBe(text);
});
