import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { readText } from "./read-file.ts";
import { test } from "../test-support/folder.test-support.ts";

test("a file is read whole, and one that has no end only up to a limit", async ({ folder }) => {
  const file = join(folder, "file.json");
  await writeFile(file, "{ é }");
  expect(await readText(file, "the file")).toBe("{ é }");
  await truncate(file, 17_000_000);
  await expect(readText(file, "the file")).rejects.toThrow("the file could not be read: it is longer than 16 MB");
  await expect(readText(join(folder, "no"), "the file")).rejects.toThrow(/^the file could not be read: ENOENT/);
});
