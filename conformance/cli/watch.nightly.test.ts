/** `run --watch` and `run --inspect` of a plugin, whose gateway is started again and again. */
import { writeFile } from "node:fs/promises";
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

test("run --watch judges a plugin again when one of its modules is saved", async ({ folder }) => {
  const file = await pluginIn(folder, right);
  const { child, ended, stdout } = start(["run", "--plugin", file, "--watch", ...cases]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const told = (text: RegExp) => expect.poll(stdout, { timeout: 60_000 }).toMatch(text);
  await told(/started: judging 2 cases\n2 cases in \d+\.\d s: 2 pass\n$/);
  await writeFile(join(folder, "check.mjs"), wrong);
  await told(/check\.mjs saved: judging 2 cases\nFAIL +AUTH-WRONG: expected 401 [^]*since the last round 1 broke: /);
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
