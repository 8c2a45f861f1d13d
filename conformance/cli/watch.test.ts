/** `run --watch` and `run --failed`: what failed last is judged first, or alone. */
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { call, main, start } from "../test-support/cli.test-support.ts";
import { complaintOf } from "../test-support/complaint.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import { command as run } from "./run.ts";
import { modulesOf } from "./watched-files.ts";

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

describe("run --watch", () => {
  test("tells what a save breaks, waits behind a module that cannot be loaded, and judges what failed first", async ({
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

  test("looks at the plugin's file and the modules that it imports, through folders and circles", async ({
    folder,
  }) => {
    const file = await pluginIn(
      folder,
      'import "./plugin.mjs"; export { a } from "./lib/index.js"; await import("./b");',
    );
    await mkdir(join(folder, "lib"));
    for (const name of ["lib/index.js", "b.ts", "unused.mjs"]) await writeFile(join(folder, name), "");
    const expected = ["plugin.mjs", "check.mjs", "lib/index.js", "b.ts"].map((name) => join(folder, name));
    expect(modulesOf(file)).toEqual(expected);
  });

  test("needs files to look at, and no report", async ({ folder }) => {
    const target = join(folder, "target.json");
    await writeFile(target, JSON.stringify({ name: "mine", baseUrl: "http://127.0.0.1:9" }));
    const asked = ["--target", target, "--watch"];
    expect(await complaintOf(() => run([...asked]))).toMatch(/--watch needs a target that the kit starts/);
    expect(await complaintOf(() => run([...asked, "--watch-dir", join(folder, "no")]))).toMatch(
      /there is no folder .*--watch-dir/,
    );
    expect(await complaintOf(() => run([...asked, "--report", "json=r.json"]))).toMatch(
      /--watch and --report exclude each other/,
    );
    expect(await complaintOf(() => run(["--target", target, "--watch-dir", folder]))).toMatch(
      /--watch-dir goes with --watch/,
    );
  });
});

describe("run --failed", () => {
  test("judges what failed when it was judged last, until it passes", async ({ folder }) => {
    const file = await pluginIn(folder, wrong);
    const failed = ["--plugin", file, "--failed"];
    expect(await complaintOf(() => run([...failed]))).toMatch(/no case is known to have failed/);
    await call(run, "--plugin", file, ...cases);
    // A part of the suite says nothing about the others.
    await call(run, "--plugin", file, "--case", "METHOD-PUT");
    expect((await call(run, ...failed)).text).toMatch(/\n1 case in .*: 1 fail\n/);
    await pluginIn(folder, right);
    expect((await call(run, ...failed)).text).toMatch(/1 case in .*: 1 pass\n/);
    expect(await complaintOf(() => run([...failed]))).toMatch(/run without --failed/);
  });
});

describe("run --inspect", () => {
  test("waits for Enter before it sends the requests of the one case", async ({ folder }) => {
    const file = await pluginIn(folder, wrong);
    const { child, ended } = start(["run", "--plugin", file, "--case", "AUTH-WRONG", "--inspect"]);
    onTestFinished(() => void child.kill("SIGKILL"));
    let told = "";
    child.stderr?.on("data", (text) => (told += String(text)));
    await expect
      .poll(() => told, { timeout: 60_000 })
      .toMatch(/attach a debugger to 127\.0\.0\.1:9229 [^]*Enter sends/);
    expect(child.exitCode).toBe(null);
    child.stdin?.write("\n");
    expect(await ended).toMatchObject({ code: 1, stdout: expect.stringMatching(/\n1 case in .*: 1 fail\n/) });
  });

  test("needs a plugin and one case, of which no time limit is left", async ({ folder }) => {
    const file = await pluginIn(folder, right);
    const asked = ["--plugin", file, "--inspect"];
    expect(await complaintOf(() => run([...asked, ...cases]))).toMatch(/--inspect goes with --plugin and one case/);
    expect(await complaintOf(() => run([...asked, "--watch"]))).toMatch(/--watch and --inspect exclude each other/);
  });
});
