/** Where a report or a configuration goes: never to a place that the user did not name, and whole or with a sentence. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants, existsSync } from "node:fs";
import { lstat, mkdir, open, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withFolder } from "../test-support/gateway.test-support.ts";
import { covering, reportWith } from "../test-support/report.test-support.ts";
import { command as config } from "./config.ts";
import { deliver, mustBeWritable } from "./deliver.ts";
import { command as fixtures } from "./fixtures.ts";
import { UsageError } from "../foundation/usage-error.ts";

const report = reportWith(covering());

async function complaint(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error("it was accepted"),
    (thrown: unknown) => thrown,
  );
  if (error instanceof UsageError) return error.message;
  throw error;
}

/** As `run` does it: checked before, written after. */
const written = async (out: string) => {
  await mustBeWritable(out);
  await deliver(report, { format: "json", out });
};

test("a link to nothing is refused and stays, a link to a file is written through", async () => {
  await withFolder(async (folder) => {
    const [link, elsewhere] = [join(folder, "report.json"), join(folder, "elsewhere.json")];
    await symlink(elsewhere, link);
    const sentence = `--out ${link} could not be written: it is a link to ${elsewhere}, which is not there`;
    expect(await complaint(mustBeWritable(link))).toBe(sentence);
    expect(await complaint(deliver(report, { format: "json", out: link }))).toBe(sentence);
    expect(await complaint(fixtures.run(["--out", link]))).toBe(sentence.replace("--out ", ""));
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
    expect(existsSync(elsewhere)).toBe(false);
    await writeFile(elsewhere, "old");
    await written(link);
    expect(JSON.parse(await readFile(elsewhere, "utf8"))).toEqual(report);
    expect((await lstat(link)).isSymbolicLink()).toBe(true);
  });
});

test("a folder is refused before the run, and a new file is not left by the check", async () => {
  await withFolder(async (folder) => {
    expect(await complaint(mustBeWritable(folder))).toBe(`--out ${folder} could not be written: it is a folder`);
    await mustBeWritable(join(folder, "new.json"));
    expect(await readdir(folder)).toEqual([]);
  });
});

test.skipIf(!existsSync("/dev/full"))("a full disk is told in a sentence", async () => {
  await mustBeWritable("/dev/full");
  const text = await complaint(deliver(report, { format: "json", out: "/dev/full" }));
  expect(text).toMatch(/^--out \/dev\/full could not be written: ENOSPC/);
  const full = await open("/dev/full", "w");
  const main = join(import.meta.dirname, "..", "..", "dist", "conformance", "cli", "main.js");
  const child = spawn(process.execPath, [main, "list"], { stdio: ["ignore", full.fd, "pipe"] });
  let stderr = "";
  child.stderr?.on("data", (chunk) => (stderr += String(chunk)));
  const [code] = (await once(child, "close")) as [number];
  await full.close();
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^webhooks-conformance: the output could not be written: ENOSPC[^\n]*\n$/) as string,
  });
});

test.skipIf(process.platform === "win32")("a pipe gets the report once somebody reads it", async () => {
  await withFolder(async (folder) => {
    const pipe = join(folder, "pipe");
    await once(spawn("mkfifo", [pipe]), "close");
    await mustBeWritable(pipe);
    const delivered = deliver(report, { format: "json", out: pipe });
    const reader = await open(pipe, constants.O_RDONLY);
    const [text] = await Promise.all([reader.readFile("utf8"), delivered]);
    await reader.close();
    expect(JSON.parse(text)).toEqual(report);
    expect(await complaint(deliver(report, { format: "json", out: pipe }))).toBe(
      `--out ${pipe} could not be written: it is a pipe that nobody reads`,
    );
  });
});

test("config writes for its owner alone, through no link, and leaves nothing of a half that failed", async () => {
  await withFolder(async (folder) => {
    const [out, elsewhere] = [join(folder, "a", "b"), join(folder, "elsewhere")];
    await mkdir(out, { recursive: true });
    await symlink(elsewhere, join(out, "secrets.env"));
    expect(await complaint(config.run(["--out", out]))).toMatch(/EEXIST|there already/);
    expect(existsSync(elsewhere)).toBe(false);
    expect(await readdir(out)).toEqual(["secrets.env"]);
    // The third file's folder cannot be made.
    await writeFile(join(folder, "file"), "");
    const target = join(folder, "target.json");
    const place = { file: join(folder, "file", "{id}") };
    await writeFile(
      target,
      JSON.stringify({ name: "x", baseUrl: "http://127.0.0.1:1", secretSources: { file: place } }),
    );
    expect(await complaint(config.run(["--out", join(folder, "new", "deep"), "--target", target]))).toMatch(
      /could not be written/,
    );
    expect((await readdir(folder)).toSorted()).toEqual(["a", "file", "target.json"]);
    const mine = join(folder, "mine");
    expect(await config.run(["--out", mine])).toBe(0);
    expect((await stat(mine)).mode & 0o777).toBe(0o700);
    for (const name of await readdir(mine)) expect((await stat(join(mine, name))).mode & 0o777).toBe(0o600);
  });
});
