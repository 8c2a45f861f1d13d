import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { reportSchema } from "../report/report.ts";
import { call, main, start, targetFile } from "../test-support/cli.test-support.ts";
import { caseOf, gateway, withFolder } from "../test-support/gateway.test-support.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { until } from "../test-support/until.test-support.ts";
import { seedPlan } from "./many-seeds.ts";
import { command as run } from "./run.ts";

/** The gateway of the tests shows nothing that it was not sent. */
const asked = (target: string) => ["--target", target, "--case", "PROPERTY-LEAKAGE"] as const;

const { argv, execArgv } = process;

// The command starts itself for each seed: as it was started, which here is the runner of the tests.
beforeEach(() => {
  [process.argv, process.execArgv] = [[process.execPath, main], []];
});
afterEach(() => {
  [process.argv, process.execArgv] = [argv, execArgv];
});

test("several seeds at the same time make one report, and tell how far they are", async () => {
  await withFolder(async (folder) => {
    const out = join(folder, "report.json");
    // The first seed alone does not meet enough for a verdict.
    const more = ["--seed", "6", "--runs", "2", "--workers", "2", "--report", `json=${out}`];
    const { code, told } = await call(run, ...asked(await targetFile(folder)), "--case", "AUTH-BEARER", ...more);
    expect(told).toMatch(/^1 of 2 seeds, \d+ requests \(\d+\/s\), \d+ states met, \d+\.\d min left\n2 of 2 .*\n$/);
    expect(code).toBe(0);
    const report = reportSchema.parse(JSON.parse(await readFile(out, "utf8")));
    expect(report.depth).toEqual({ seeds: [6, 7] });
    expect(report.selection.cases).toEqual(["PROPERTY-LEAKAGE", "AUTH-BEARER"]);
    expect(report.results.map(({ id, outcome }) => [id, outcome])).toEqual([
      ["AUTH-BEARER", "pass"],
      ["PROPERTY-LEAKAGE", "pass"],
    ]);
    // The example ran with the first seed only.
    expect(report.results[0]?.requests).toBeLessThan(10);
  });
}, 60_000);

test("an interrupt between seeds reports those that were looked at, and leaves nothing behind", async () => {
  await withFolder(async (folder) => {
    const temporary = join(folder, "tmp");
    await mkdir(temporary);
    const args = ["run", ...asked(await targetFile(folder)), "--minutes", "5"];
    const [running, seen] = [start(args, { TMPDIR: temporary }), { stderr: "" }];
    running.child.stderr?.on("data", (chunk) => (seen.stderr += String(chunk)));
    try {
      await expect.poll(() => seen.stderr, { timeout: 40_000 }).toContain("1 seeds, ");
      running.child.kill("SIGINT");
      const { code, stdout, stderr } = await running.ended;
      expect(code).toBe(130);
      expect(stderr).toMatch(/interrupted: stopping the target\n$/);
      expect(stdout).toMatch(/^note: interrupted: \d+ seeds were judged\n(?:tables: .*\n)?1 cases? in .*: 1 \w+\n/m);
      expect(stdout).toMatch(/\npartial: INTERRUPTED with profile \S+ \(exit 130\)\n$/);
      await until(async () => (await readdir(temporary)).length === 0);
    } finally {
      running.child.kill("SIGKILL");
    }
  });
}, 60_000);

test.each([
  ["--workers for one seed", ["--workers", "2"], "--workers needs more than one seed: add --runs N or --minutes N"],
  ["two measures of depth", ["--runs", "2", "--minutes", "1"], "--runs and --minutes exclude each other"],
  [
    "depth without what is deep",
    ["--runs", "2", "--quick"],
    "--quick leaves out the PROPERTY cases, which --runs and --minutes are for",
  ],
  [
    "shards of different depth",
    ["--minutes", "2", "--shard", "1/1"],
    "--minutes and --shard exclude each other: merge takes shards that ran with the same seeds; give --runs N",
  ],
  ["no workers", ["--runs", "2", "--workers", "0"], '--workers is "0", expected a whole number from 1'],
])("%s is refused", async (_, more, complaint) => {
  await withFolder(async (folder) => {
    const refused = run.run([...asked(await targetFile(folder)), ...more]);
    await expect(refused).rejects.toThrow(new UsageError(complaint));
  });
});

test("a shard without a property is run once, and can be merged with those that looked with all the seeds", () => {
  const values = { runs: "3", workers: "1", shard: "1/2", target: "t.json" };
  const plan = seedPlan(values, 5, [caseOf("AUTH-BEARER")], gateway());
  expect(plan).toMatchObject({ first: 5, count: 1, reportedSeeds: [5, 6, 7] });
  expect(plan?.argumentsFor(5)).toEqual(["--shard", "1/2", "--target", "t.json", "--seed", "5"]);
});

/** The command, whose target does not start for the seeds from this one on. */
async function commandThatFails(folder: string, first: number): Promise<string> {
  const file = join(folder, "main.mjs");
  const lines = [
    `if (Number(process.argv[process.argv.indexOf("--seed") + 1]) >= ${first}) {`,
    '  console.error("webhooks-conformance: the target ended before it was ready (exit code 9)");',
    "  process.exit(3);",
    "}",
    `await import(${JSON.stringify(main)});`,
  ];
  await writeFile(file, lines.join("\n"));
  return file;
}

test("a target that does not start is exit 3 with its last words", async () => {
  await withFolder(async (folder) => {
    process.argv = [process.execPath, await commandThatFails(folder, 1)];
    const { code, text, told } = await call(run, ...asked(await targetFile(folder)), "--seed", "1", "--runs", "2");
    expect({ code, text }).toEqual({ code: 3, text: "" });
    expect(told).toMatch(/^webhooks-conformance: the target ended before it was ready/m);
  });
});

test("a seed that could not be looked at does not hide what another one found", async () => {
  await withFolder(async (folder) => {
    process.argv = [process.execPath, await commandThatFails(folder, 2)];
    const more = ["--case", "METHOD-PUT", "--seed", "1", "--runs", "2"];
    const { code, text, told } = await call(run, ...asked(await targetFile(folder)), ...more);
    expect(told).toContain("the target ended before it was ready (exit code 9)");
    expect(text).toMatch(/FAIL\s+METHOD-PUT/);
    expect(code).toBe(1);
  });
}, 60_000);
