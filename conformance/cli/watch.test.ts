/** `run --watch` and `run --failed`: what failed last is judged first, or alone. */
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { call, calling, targetFile } from "../test-support/cli.test-support.ts";
import { complaintOf } from "../test-support/complaint.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import { FEW_PROBES, gateway, gatewayStart } from "../test-support/gateway.test-support.ts";
import { command as run } from "./run.ts";
import { modulesOf, watchFiles } from "./watched-files.ts";

const cases = ["--case", "AUTH-WRONG", "--case", "BODY-SPLIT-CHARACTER"];

/** Starts the tests' gateway with the trick that stands in a file, or ends at once where that is what stands there. */
const byTrick = `trick=$(cat "$0"); [ "$trick" != ends ] || { echo "gateway: refusing to start" >&2; exit 3; }
exec "$@" $trick`;

async function tricked(folder: string) {
  const file = join(folder, "trick");
  const trick = (name: string) => writeFile(file, name);
  await trick("");
  const { command, ...more } = gatewayStart([]);
  const start = { command: ["sh", "-c", byTrick, file, ...command], ...more };
  return { target: await targetFile(folder, [], { ...FEW_PROBES, start }), trick };
}

async function pluginIn(folder: string, check: string): Promise<string> {
  await writeFile(join(folder, "check.mjs"), check);
  await writeFile(join(folder, "plugin.mjs"), 'import "./check.mjs";');
  return join(folder, "plugin.mjs");
}

describe("run --watch", () => {
  test("tells what a save breaks, waits behind a target that does not start, and judges what failed first", async ({
    folder,
  }) => {
    const { target, trick } = await tricked(folder);
    const { text: shown, ended } = calling(run, "--target", target, "--watch", ...cases);
    const told = (text: RegExp) => expect.poll(shown, { timeout: 60_000 }).toMatch(text);
    await told(/started: judging 2 cases\n2 cases in \d+\.\d s: 2 pass\n$/);
    await trick("lets-in");
    await told(/trick saved: judging 2 cases\nFAIL +AUTH-WRONG: expected 401 [^]*since the last round 1 broke: .*\n$/);
    await trick("ends");
    await told(/judging 2 cases, the 1 that failed last first\n[^]*refusing to start\n$/);
    await trick("");
    await told(
      /first\nFIXED +AUTH-WRONG \(after \d+\.\d s\)\n2 cases in .*: 2 pass\nsince the last round 1 fixed: AUTH-WRONG\n$/,
    );
    process.emit("SIGINT", "SIGINT");
    expect((await ended).code).toBe(130);
  });

  test("sees the modules of a plugin replaced, written anew and added, and no other file", async ({ folder }) => {
    const file = await pluginIn(folder, "");
    const seen: string[] = [];
    const watcher = await watchFiles({ plugin: file, target: gateway(), dirs: [] }, (names) => seen.push(...names));
    onTestFinished(() => watcher.close());
    const sees = (name: string) => expect.poll(() => seen.splice(0), { timeout: 60_000 }).toContain(name);
    // As editors do that never leave half a file.
    await writeFile(join(folder, "new"), 'import "./added.mjs";');
    await rename(join(folder, "new"), join(folder, "check.mjs"));
    await sees("check.mjs");
    await writeFile(join(folder, "added.mjs"), "");
    await writeFile(join(folder, "check.mjs"), 'import "./added.mjs"; ');
    await sees("check.mjs");
    await writeFile(join(folder, "added.mjs"), " ");
    await sees("added.mjs");
    await rm(file);
    await sees("plugin.mjs");
    await pluginIn(folder, "");
    await sees("plugin.mjs");
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
    const { target, trick } = await tricked(folder);
    const failed = ["--target", target, "--failed"];
    expect(await complaintOf(() => run([...failed]))).toMatch(/no case is known to have failed/);
    await trick("lets-in");
    await call(run, "--target", target, ...cases);
    // A part of the suite says nothing about the others.
    await call(run, "--target", target, "--case", "BODY-SPLIT-CHARACTER");
    await trick("");
    expect((await call(run, ...failed)).text).toMatch(/1 case in .*: 1 pass\n/);
    expect(await complaintOf(() => run([...failed]))).toMatch(/run without --failed/);
  });
});

describe("run --inspect", () => {
  test("needs a plugin and one case, of which no time limit is left", async ({ folder }) => {
    const file = await pluginIn(folder, "");
    const asked = ["--plugin", file, "--inspect"];
    expect(await complaintOf(() => run([...asked, ...cases]))).toMatch(/--inspect goes with --plugin and one case/);
    expect(await complaintOf(() => run([...asked, "--watch"]))).toMatch(/--watch and --inspect exclude each other/);
  });
});
