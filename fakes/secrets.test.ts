import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { folderWith } from "./folder.test-support.ts";
import { resolveSecrets } from "./secrets.ts";

const configDir = folderWith({
  "outside.txt": "out of reach",
  "files/plain": "from-file",
  "files/newline": "from-file\n\n",
  "files/windows": "from-file\r\n",
  "files/empty": "\n",
  "files/nested/deep": "from-nested",
  "files/..dots": "from-dots",
  "files/huge": "x".repeat(65_537),
  "store.json": '{"KEY":"from-store","NUMBER":7,"EMPTY":""}',
  "list.json": "[]",
  "broken.json": "{",
});
beforeAll(async () => {
  await symlink(join(configDir, "outside.txt"), join(configDir, "files", "link"));
  await symlink(join(configDir, "files", "plain"), join(configDir, "files", "good-link"));
});

const script = (code: string) => ({ exec: { command: ["sh", "-c", code] } });

const resolved = async (secret: unknown, secrets = {}, env: NodeJS.ProcessEnv = {}) => {
  const document = { plugins: { entries: { webhooks: { config: { routes: { a: { secret } } } } } }, secrets };
  const before = structuredClone(document);
  const snapshot = await resolveSecrets(document, { configDir, env });
  expect(document).toEqual(before);
  const routes: unknown = snapshot.document.plugins?.entries?.["webhooks"]?.config?.["routes"];
  expect(snapshot.document).toEqual({ ...document, plugins: expect.anything() });
  return { routes, failures: snapshot.failures };
};
const reference = (source: string, id: unknown, provider = "default") => ({ source, provider, id });

const execX = reference("exec", "x");
const file = { file: { dir: "files" } };
const store = { store: { path: "store.json" } };

test.each([
  ["env", reference("env", "TOKEN"), {}, "from-env\n"],
  ["a file", reference("file", "plain"), file, "from-file"],
  ["a file, one newline stripped", reference("file", "newline"), file, "from-file\n"],
  ["a file, a Windows newline stripped", reference("file", "windows"), file, "from-file"],
  ["a file in a nested folder", reference("file", "nested/deep"), file, "from-nested"],
  ["a file whose name begins with dots", reference("file", "..dots"), file, "from-dots"],
  ["a link that stays inside", reference("file", "good-link"), file, "from-file"],
  ["a command", reference("exec", "TOKEN; echo $HOME"), script(`printf '%s\\n' "$0"`), "TOKEN; echo $HOME"],
  ["a command in that folder", execX, script("cat outside.txt"), "out of reach"],
  ["a command, with the environment", execX, script(`printf %s "$TOKEN"`), "from-env"],
  ["a command that ends its input", execX, script("cat; echo end"), "end"],
  ["a store", reference("store", "KEY"), store, "from-store"],
])("a SecretRef that resolves is replaced by its value: %s", async (_name, secret, settings, value) => {
  expect(await resolved(secret, settings, { TOKEN: "from-env\n" })).toEqual({
    routes: { a: { secret: value } },
    failures: [],
  });
});

test.each([
  ["an absent variable", reference("env", "NONE"), {}],
  ["an empty variable", reference("env", "EMPTY"), {}],
  ["a blank variable", reference("env", "BLANK"), {}],
  ["an inherited name", reference("env", "toString"), {}],
  ["another provider", reference("env", "TOKEN", "vault"), {}],
  ["an empty id", reference("env", ""), {}],
  ["an id that is no string", reference("env", 7), {}],
  ["no settings for files", reference("file", "plain"), {}],
  ["an absent file", reference("file", "none"), file],
  ["an empty file", reference("file", "empty"), file],
  ["a folder", reference("file", "nested"), file],
  ["the folder itself", reference("file", "."), file],
  ["a file that is too large", reference("file", "huge"), file],
  ["a path out of the folder", reference("file", "../outside.txt"), file],
  ["a link out of the folder", reference("file", "link"), file],
  ["a path with a zero byte", reference("file", "plain\0"), file],
  ["no settings for commands", reference("exec", "x"), {}],
  ["an absent command", reference("exec", "x"), { exec: { command: ["/no/such/command"] } }],
  ["a command that fails", reference("exec", "x"), script("echo hunter2; exit 3")],
  ["a command that says too much", reference("exec", "x"), script("head -c 65537 /dev/zero | tr '\\0' x")],
  ["a command that says nothing", reference("exec", "x"), script("")],
  ["no settings for the store", reference("store", "KEY"), {}],
  ["an absent key", reference("store", "NONE"), store],
  ["an inherited key", reference("store", "constructor"), store],
  ["a value that is no string", reference("store", "NUMBER"), store],
  ["an empty value", reference("store", "EMPTY"), store],
  ["a store that is no object", reference("store", "0"), { store: { path: "list.json" } }],
  ["a store that is not JSON", reference("store", "KEY"), { store: { path: "broken.json" } }],
])("a SecretRef that does not resolve stays, listed without its value: %s", async (_name, secret, settings) => {
  expect(await resolved(secret, settings, { TOKEN: "t", EMPTY: "", BLANK: " \n" })).toEqual({
    routes: { a: { secret } },
    failures: [{ entryId: "webhooks", routeId: "a", source: secret.source }],
  });
});

test("a SecretRef is listed without its value also with a source that the interface does not name", async () => {
  const secret = reference("hunter2", "TOKEN");
  expect((await resolved(secret)).failures).toEqual([{ entryId: "webhooks", routeId: "a", source: "unknown" }]);
});

test("what is no SecretRef stays as it is", async () => {
  expect(await resolved("inline")).toEqual({ routes: { a: { secret: "inline" } }, failures: [] });
  expect((await resolved(["list"])).failures).toEqual([]);
  for (const config of [{}, { routes: [] }, { routes: { a: 1, b: {} } }]) {
    const document = { plugins: { entries: { other: { config }, bare: {} } } };
    expect(await resolveSecrets(document, { configDir, env: {} })).toEqual({ document, failures: [] });
  }
  expect(await resolveSecrets({}, { configDir, env: {} })).toEqual({ document: {}, failures: [] });
});
