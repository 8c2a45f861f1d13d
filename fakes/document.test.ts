import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkDocument, readDocument, syntaxError } from "./document.ts";
import { codeOf, messageOf, StartError } from "./errors.ts";
import { folderWith } from "./folder.test-support.ts";

const dir = folderWith();
const file = async (text: string) => {
  const path = join(dir, "config.json");
  await writeFile(path, text);
  return path;
};

test("a configuration file is read as it stands, foreign keys included", async () => {
  const document = {
    gateway: { mode: "local" },
    plugins: { entries: { webhooks: { enabled: true, config: { x: 1 } } } },
  };
  expect(await readDocument(await file(`\uFEFF${JSON.stringify(document)}`))).toEqual(document);
  expect(await readDocument(await file("{}"))).toEqual({});
});

test("a configuration file that is absent or unreadable is reported by name", async () => {
  await expect(readDocument(join(dir, "none.json"))).rejects.toThrow(/^There is no configuration file .*none\.json\.$/);
  await expect(readDocument(dir)).rejects.toThrow(/ is no regular file\.$/);
});

test.skipIf(process.platform === "win32")("a pipe is not waited for", async () => {
  const pipe = join(dir, "pipe");
  execFileSync("mkfifo", [pipe]);
  await expect(readDocument(pipe)).rejects.toThrow(`The configuration ${pipe} is no regular file.`);
});

const nested = (levels: number) => file(`{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`);
test("a configuration that is nested too deeply to be walked is refused in a sentence", async () => {
  await expect(readDocument(await nested(20_000))).rejects.toThrow(/: it is nested deeper than 1000 levels$/);
  expect(await readDocument(await nested(900))).toHaveProperty("a");
});

test("a configuration file that is not JSON is reported with line and column", async () => {
  const path = await file('{\n  "plugins": {\n    "entries": nope\n  }\n}');
  await expect(readDocument(path)).rejects.toThrow(`${path} is not JSON: invalid symbol at line 3, column 16.`);
});

test("a configuration file of another shape is reported with the place, never with the value", async () => {
  const path = await file('{"plugins":{"entries":{"webhooks":{"enabled":"hunter2"}}}}');
  const failure = readDocument(path);
  await expect(failure).rejects.toThrow(StartError);
  await expect(failure).rejects.toThrow(`${path}: The configuration is wrong at plugins.entries.webhooks.enabled:`);
  await expect(failure).rejects.not.toThrow(/hunter2/);
});

test.each([
  [[], "the document"],
  [{ plugins: 1 }, "plugins"],
  [{ plugins: { entries: { webhooks: { config: [] } } } }, "plugins.entries.webhooks.config"],
  [{ secrets: { exec: { command: [] } } }, "secrets.exec.command"],
  [{ secrets: { file: { dir: "" } } }, "secrets.file.dir"],
])("the document %j is wrong at %s", (document, place) => {
  expect(() => checkDocument(document)).toThrow(`The configuration is wrong at ${place}: `);
});

test.each([
  ["", "value expected", 1, 1],
  ["[1, x]", "invalid symbol", 1, 5],
  ['{"a":1}}', "end of file expected", 1, 8],
  ['{"a":1,}', "property name expected", 1, 8],
  ["[[], {},\n [1.5e+3, -0, true, null],\n \"\\u00e9\\n\" '']", "invalid symbol", 3, 13],
  ['["unfinished]', "unexpected end of string", 1, 2],
  ['["\u007f\u0085" 1]', "comma expected", 1, 7],
  ["// a comment\n{}", "invalid comment token", 1, 1],
])("%j is not JSON: %s at line %d, column %d", (text, what, line, column) => {
  expect(() => void JSON.parse(text)).toThrow(SyntaxError);
  expect(syntaxError(text)).toBe(`${what} at line ${line}, column ${column}`);
});

test("a text nested too deeply is reported as such", () => {
  expect(syntaxError("[".repeat(200_000))).toBe("nested too deeply to be read");
});

test("an error of any kind has a message and a code", () => {
  expect(messageOf("thrown text")).toBe("thrown text");
  expect(codeOf(new Error("plain"))).toBe("unknown");
});
