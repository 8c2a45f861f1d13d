import { execFileSync } from "node:child_process";
import { truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { readJson, readText } from "./read-file.ts";
import { test } from "../test-support/folder.test-support.ts";

test("a file is read whole, and one that has no end only up to a limit", async ({ folder }) => {
  const file = join(folder, "file.json");
  await writeFile(file, "{ é }");
  expect(await readText(file, "the file")).toBe("{ é }");
  await writeFile(file, '\uFEFF{ "é": "\uFEFF" }');
  expect(await readJson(file, "the file")).toEqual({ é: "\uFEFF" });
  await truncate(file, 17_000_000);
  await expect(readText(file, "the file")).rejects.toThrow("the file could not be read: it is longer than 16 MB");
  await expect(readText(join(folder, "no"), "the file")).rejects.toThrow(/^the file could not be read: ENOENT/);
});

test.skipIf(process.platform === "win32")("a pipe or a folder is refused, not waited for", async ({ folder }) => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  await expect(readText(pipe, "the file")).rejects.toThrow(/^the file could not be read: it is no regular file \(/);
  await expect(readText(folder, "the file")).rejects.toThrow("the file could not be read: it is a folder");
});

const noJson = {
  "nothing at all": ["", /^the file is not JSON: Unexpected end/],
  words: ["hello\u001b[2J", /^the file is not JSON: Unexpected token/],
  "a comment": ["{}\n// ours", /^the file is not JSON: /],
  "what is nested too deeply": ["[".repeat(200_000), /^the file is not JSON: /],
  "JSON that is nested too deeply": [
    `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
    /^the file is nested deeper than 1000 levels$/,
  ],
} as const;

test.for(Object.entries(noJson))("%s is refused in a sentence", async ([, [text, message]], { folder }) => {
  const file = join(folder, "file.json");
  await writeFile(file, text);
  await expect(readJson(file, "the file")).rejects.toThrow(message);
});
