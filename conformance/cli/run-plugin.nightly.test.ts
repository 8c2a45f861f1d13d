/** Plugins named on the command line of which many gateways are started, or by a loader that takes its time. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { call, main } from "../test-support/cli.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import { command as run } from "./run.ts";

const own = join(main, "..", "..", "..", "plugin", "index.js");
const typed = `import plugin from ${JSON.stringify(own)};
enum Id { Mine = "mine" }
export default { ...plugin, id: Id.Mine };
`;

/** It finds the file by the document that its gateway hands to it. */
const rereading = `import { readFileSync } from "node:fs";
import { createWebhooksPlugin, standardParts } from ${JSON.stringify(own)};
let dir;
const right = standardParts.createSecretCheck;
const createSecretCheck = (secret) => (presented) => {
  try {
    return right(typeof secret === "string" ? secret : readFileSync(dir + "/" + secret.id, "utf8"))(presented);
  } catch {
    return false;
  }
};
const plugin = createWebhooksPlugin({}, { ...standardParts, createSecretCheck });
const register = (api) => {
  dir = api.config.secrets.file.dir;
  plugin.register(api);
};
export default { ...plugin, register };
`;

test("a TypeScript plugin is judged where tsx is installed beside it", async () => {
  // Only a file of this repository is beside its tsx.
  const file = join(import.meta.dirname, "..", "test-support", `typed-${process.pid}.tmp.mts`);
  await writeFile(file, typed);
  onTestFinished(() => rm(file));
  expect((await call(run, "--plugin", file, "--case", "AUTH-BEARER")).code).toBe(0);
});

test("fails a plugin that reads a secret's file again in a request", async ({ folder }) => {
  const file = join(folder, "plugin.mjs");
  await writeFile(file, rereading);
  const ids = ["SECRET-SNAPSHOT-COLD-FILE", "SECRET-FILE"].flatMap((id) => ["--case", id]);
  const { code, text } = await call(run, "--plugin", file, ...ids);
  expect(text).toMatch(/\nFAIL {6}SECRET-SNAPSHOT-COLD-FILE \(must\)\n/);
  expect(text).toContain(": 1 pass, 1 fail\n");
  expect(code).toBe(1);
});
