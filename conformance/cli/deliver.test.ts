/** Where a report or a configuration goes: never to a place that the user did not name, and whole or with a sentence. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, readlink, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { formatNames, render } from "../report/formats.ts";
import { call, main, start } from "../test-support/cli.test-support.ts";
import { complaintOf } from "../test-support/complaint.test-support.ts";
import { covering, reportWith } from "../test-support/report.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import { command as config } from "./config.ts";
import { deliver, deliveryOf, mustBeWritable, removeOld } from "./deliver.ts";

const report = reportWith(covering());

const verdict = "CONFORMANT with profile spec (exit 0)\n";
const incomplete = "INCOMPLETE with profile spec (exit 4)\n";

/** What a delivery prints and comes to, checked before and written after, as `run` does it. */
const delivered = (given: readonly string[], of = report) =>
  call(async () => deliver(of, await deliveryOf({ report: given, verbose: false })));

test("several reports of one run are written, and the one for people says where, with the verdict last", async ({
  folder,
}) => {
  const files = formatNames.map((kind) => join(folder, `report.${kind}`));
  const { code, text, told } = await delivered(formatNames.map((kind, index) => `${kind}=${files[index]}`));
  expect({ code, told }).toEqual({ code: 0, told: "" });
  expect(text.replaceAll(/\n {2}/g, " ")).toContain(`wrote ${files.join(", ")}`);
  expect(text.endsWith(`\n${verdict}`)).toBe(true);
  expect(await readdir(folder)).toEqual(formatNames.map((kind) => `report.${kind}`).toSorted());
  for (const [index, file] of files.entries())
    expect(await readFile(file, "utf8")).toBe(await render(report, formatNames[index] ?? "json"));
});

test("a report on standard output leaves standard error to people", async () => {
  const { text, told } = await delivered(["json=-"]);
  expect(JSON.parse(text)).toEqual(report);
  expect(told.endsWith(`\n${verdict}`)).toBe(true);
});

test("one report that cannot be written keeps none of the others back, and the run is incomplete", async ({
  folder,
}) => {
  const [gone, there] = [join(folder, "gone"), join(folder, "there.json")];
  const reports = [
    { kind: "junit", file: join(gone, "junit.xml") },
    { kind: "json", file: there },
  ] as const;
  const { code, text, told } = await call(() => deliver(report, { reports, verbose: false }));
  expect(code).toBe(4);
  expect(told).toMatch(/^webhooks-conformance: --report junit=\S+junit\.xml could not be written: ENOENT[^\n]*\n$/);
  expect(JSON.parse(await readFile(there, "utf8"))).toEqual(report);
  expect(text).toMatch(/\nwrote \S+there\.json\n/);
  expect(text.endsWith(`\n${incomplete}`)).toBe(true);
});

test("a report that its reader does not take to the end is exit 4, and others are whole", async ({ folder }) => {
  const [given, file] = [join(folder, "given.json"), join(folder, "report.json")];
  await writeFile(given, JSON.stringify(report));
  const { child, ended } = start(["render", given, "--report", "json=-", "--report", `json=${file}`]);
  child.stdout?.destroy();
  const { code, stderr } = await ended;
  expect(stderr).toMatch(/^webhooks-conformance: --report json=- could not be written: write EPIPE$/m);
  expect(code).toBe(4);
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ verdict: { judgement: "conformant" } });
});

test("a report replaces the old one whole, and keeps its mode and a link to it", async ({ folder }) => {
  const [file, link] = [join(folder, "report.json"), join(folder, "link.json")];
  await writeFile(file, "old", { mode: 0o600 });
  await symlink(file, link);
  // Who reads while it is written has the old file: it is another one.
  const old = await open(file);
  onTestFinished(() => old.close());
  await delivered([`json=${link}`]);
  expect(await old.readFile("utf8")).toBe("old");
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual(report);
  expect([(await stat(file)).mode & 0o777, await readlink(link)]).toEqual([0o600, file]);
  expect(await readdir(folder)).toEqual(["link.json", "report.json"]);
});

test("reports of an earlier run go before the run, unless it reads them; what is no file stays", async ({ folder }) => {
  const [old, shard] = [join(folder, "old.json"), join(folder, "shard.json")];
  for (const file of [old, shard]) await writeFile(file, "old");
  const asked = [`json=${old}`, `junit=${shard}`, `markdown=${join(folder, "new.md")}`, "html=/dev/null", "ctrf=-"];
  await removeOld(await deliveryOf({ report: asked, verbose: false }), [shard]);
  expect(await readdir(folder)).toEqual(["shard.json"]);
  expect(existsSync("/dev/null")).toBe(true);
});

test("two names of one file are refused before the run", async ({ folder }) => {
  const file = join(folder, "report.json");
  const twice = (other: string) => complaintOf(() => delivered([`json=${file}`, `junit=${other}`]));
  const sentence = (other: string) =>
    `--report json=${file} and --report junit=${other} go to one place: each report needs a file of its own`;
  expect(await twice(file)).toBe(sentence(file));
  expect(await twice(join(folder, "x", "..", "report.json"))).toBe(sentence(join(folder, "report.json")));
  expect(existsSync(file)).toBe(false);
  const asked = { report: [`json=${file}`], log: join(folder, ".", "report.json"), verbose: false };
  expect(await complaintOf(() => deliveryOf(asked))).toBe(
    `--log ${file} and --report json=${file} go to one place: each needs a file of its own`,
  );
});

test("for GitHub there are annotations behind the report, and a summary beside those of other steps", async ({
  folder,
}) => {
  const summary = join(folder, "summary.md");
  await writeFile(summary, "before\n");
  vi.stubEnv("GITHUB_STEP_SUMMARY", summary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, text } = await delivered(["github"]);
  expect(code).toBe(0);
  expect(text.endsWith(`${verdict}::notice title=webhooks-conformance::${verdict}`)).toBe(true);
  expect(await readFile(summary, "utf8")).toBe(`before\n${await render(report, "markdown")}\n`);
  expect(await complaintOf(() => delivered(["github", "github"]))).toMatch(
    /^--report github and --report github go to one place: /,
  );
  vi.stubEnv("GITHUB_STEP_SUMMARY", folder);
  expect(await complaintOf(() => delivered(["github"]))).toBe("--report github could not be written: it is a folder");
});

test("a folder is refused before the run, and a new file is not left by the check", async ({ folder }) => {
  expect(await complaintOf(() => mustBeWritable(folder))).toBe(`--out ${folder} could not be written: it is a folder`);
  await mustBeWritable(join(folder, "new.json"));
  expect(await readdir(folder)).toEqual([]);
  const gone = join(folder, "gone", "new.json");
  expect(await complaintOf(() => mustBeWritable(gone))).toMatch(/^--out \S+new\.json could not be written: ENOENT/);
});

test.skipIf(!existsSync("/dev/full"))("a full disk is told in a sentence", async () => {
  await mustBeWritable("/dev/full");
  const { code: four, text, told } = await delivered(["json=/dev/full"]);
  expect(four).toBe(4);
  expect(text.endsWith(`\n${incomplete}`)).toBe(true);
  expect(told).toMatch(/^webhooks-conformance: --report json=\/dev\/full could not be written: ENOSPC/);
  const full = await open("/dev/full", "w");
  const child = spawn(process.execPath, [main, "--help"], { stdio: ["ignore", full.fd, "pipe"], timeout: 60_000 });
  let stderr = "";
  child.stderr?.on("data", (chunk) => (stderr += String(chunk)));
  const [code] = (await once(child, "close")) as [number];
  await full.close();
  expect({ code, stderr }).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^webhooks-conformance: the output could not be written: ENOSPC[^\n]*\n$/) as string,
  });
});

test("config writes for its owner alone, through no link, and leaves nothing of a half that failed", async ({
  folder,
}) => {
  const [out, elsewhere] = [join(folder, "a", "b"), join(folder, "elsewhere")];
  await mkdir(out, { recursive: true });
  await symlink(elsewhere, join(out, "secrets.env"));
  expect(await complaintOf(() => config(["--out", out]))).toMatch(/EEXIST|there already/);
  expect(existsSync(elsewhere)).toBe(false);
  expect(await readdir(out)).toEqual(["secrets.env"]);
  // The third file's folder cannot be made.
  await writeFile(join(folder, "file"), "");
  const target = join(folder, "target.json");
  const place = { file: join(folder, "file", "{id}") };
  await writeFile(target, JSON.stringify({ name: "x", baseUrl: "http://127.0.0.1:1", secretSources: { file: place } }));
  expect(await complaintOf(() => config(["--out", join(folder, "new", "deep"), "--target", target]))).toMatch(
    /could not be written/,
  );
  expect((await readdir(folder)).toSorted()).toEqual(["a", "file", "target.json"]);
  const mine = join(folder, "mine");
  expect(await config(["--out", mine])).toBe(0);
  expect((await stat(mine)).mode & 0o777).toBe(0o700);
  for (const name of await readdir(mine)) expect((await stat(join(mine, name))).mode & 0o777).toBe(0o600);
});
