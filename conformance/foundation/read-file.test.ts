import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withFolder } from "../test-support/gateway.test-support.ts";
import { readText } from "./read-file.ts";

test("a file is read whole, and one that has no end only up to a limit", async () => {
  await withFolder(async (folder) => {
    const file = join(folder, "file.json");
    await writeFile(file, "{ é }");
    expect(await readText(file, "the file")).toBe("{ é }");
    await truncate(file, 17_000_000);
    await expect(readText(file, "the file")).rejects.toThrow("the file could not be read: it is longer than 16 MB");
    await expect(readText(join(folder, "no"), "the file")).rejects.toThrow(/^the file could not be read: ENOENT/);
  });
});
