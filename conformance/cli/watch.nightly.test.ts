/** `run --watch` and `run --inspect` of a plugin, whose gateway is started again and again. */
import { rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { main, start } from "../test-support/cli.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";

const own = join(main, "..", "..", "..", "plugin", "index.js");

/** A plugin whose secret check comes from a module of its own. */
const plugin = `import { createWebhooksPlugin, standardParts } from ${JSON.stringify(own)};
import { checkOf } from "./check.mjs";
export default createWebhooksPlugin({}, { ...standardParts, createSecretCheck: checkOf(standardParts) });
`;
const right = "export const checkOf = (parts) => parts.createSecretCheck;\n";
const wrong = "export const checkOf = () => () => () => true;\n";
const cases = ["--case", "AUTH-WRONG", "--case", "METHOD-PUT"];

async function pluginIn(folder: string, check: string): Promise<string> {
  await writeFile(join(folder, "check.mjs"), check);
  await writeFile(join(folder, "plugin.mjs"), plugin);
  return join(folder, "plugin.mjs");
}

test("run --watch tells what a save breaks, waits behind a module that cannot be loaded, and judges what failed first", async ({
  folder,
}) => {
  const file = await pluginIn(folder, right);
  const { child, ended, stdout } = start(["run", "--plugin", file, "--watch", ...cases]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const told = (text: RegExp) => expect.poll(stdout, { timeout: 60_000 }).toMatch(text);
  await told(/started: judging 2 cases\n2 cases in \d+\.\d s: 2 pass\n$/);
  // As editors do that never leave half a file.
  await writeFile(join(folder, "new"), wrong);
  await rename(join(folder, "new"), join(folder, "check.mjs"));
  await told(/check\.mjs saved: judging 2 cases\nFAIL +AUTH-WRONG: expected 401 [^]*since the last round 1 broke: /);
  await writeFile(join(folder, "check.mjs"), "export const = ;");
  await told(/judging 2 cases, the 1 that failed last first\n[^]*cannot be loaded: [^]*check\.mjs:1\)\.\n$/);
  await writeFile(join(folder, "check.mjs"), right);
  await told(
    /first\nFIXED +AUTH-WRONG \(after \d+\.\d s\)\n2 cases in .*: 2 pass\nsince the last round 1 fixed: AUTH-WRONG\n$/,
  );
  await rm(file);
  await told(/plugin\.mjs saved: [^]*There is no plugin file [^]*$/);
  await pluginIn(folder, right);
  await told(/There is no plugin file [^]*2 cases in .*: 2 pass\n$/);
  child.kill("SIGINT");
  expect((await ended).code).toBe(130);
});

test("run --inspect waits for Enter before it sends the requests of the one case", async ({ folder }) => {
  const file = await pluginIn(folder, wrong);
  const { child, ended } = start(["run", "--plugin", file, "--case", "AUTH-WRONG", "--inspect"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  let told = "";
  child.stderr?.on("data", (text) => (told += String(text)));
  await expect.poll(() => told, { timeout: 60_000 }).toMatch(/attach a debugger to 127\.0\.0\.1:9229 [^]*Enter sends/);
  expect(child.exitCode).toBe(null);
  child.stdin?.write("\n");
  expect(await ended).toMatchObject({ code: 1, stdout: expect.stringMatching(/\n1 case in .*: 1 fail\n/) });
});
