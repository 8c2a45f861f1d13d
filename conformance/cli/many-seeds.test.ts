import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reportSchema } from "../reports/report.ts";
import { cli, start, targetFile } from "../test-targets/cli.test-support.ts";
import { withFolder } from "../test-targets/gateway.test-support.ts";
import { until } from "../test-targets/until.test-support.ts";

const embedded = join(import.meta.dirname, "..", "targets", "embedded.json");
const run = ["run", "--target", embedded, "--case", "PROPERTY-RUN-TASK"] as const;

test("several seeds at the same time make one report, and tell how far they are", async () => {
  await withFolder(async (folder) => {
    const out = join(folder, "report.json");
    const words = ["--seed", "5", "--runs", "3", "--workers", "2", "--format", "json", "--out", out];
    const { code, stderr } = await cli(...run, "--case", "AUTH-BEARER", ...words);
    expect(stderr).toMatch(
      /^1 of 3 seeds, \d+ requests \(\d+\/s\), \d+ states met, \d+\.\d min left\n2 of 3 .*\n3 of 3 .*\n$/,
    );
    expect(code).toBe(0);
    const report = reportSchema.parse(JSON.parse(await readFile(out, "utf8")));
    expect(report.depth).toEqual({ seeds: [5, 6, 7] });
    expect(report.selection.cases).toEqual(["PROPERTY-RUN-TASK", "AUTH-BEARER"]);
    expect(report.results.map(({ id, outcome }) => [id, outcome])).toEqual([
      ["AUTH-BEARER", "pass"],
      ["PROPERTY-RUN-TASK", "pass"],
    ]);
    // The example ran with the first seed only.
    expect(report.results[0]?.requests).toBeLessThan(10);
  });
}, 60_000);

test("an interrupt between seeds reports those that were looked at, and leaves nothing behind", async () => {
  await withFolder(async (folder) => {
    const temporary = join(folder, "tmp");
    await mkdir(temporary);
    const [running, seen] = [start([...run, "--minutes", "5"], { TMPDIR: temporary }), { stderr: "" }];
    running.child.stderr?.on("data", (chunk) => (seen.stderr += String(chunk)));
    try {
      await expect.poll(() => seen.stderr, { timeout: 40_000 }).toContain("1 seeds, ");
      running.child.kill("SIGINT");
      const { code, stdout, stderr } = await running.ended;
      expect(code).toBe(130);
      expect(stderr).toMatch(/interrupted: stopping the target\n$/);
      expect(stdout).toMatch(/^1 cases? in .*: 1 pass\n/);
      await until(async () => (await readdir(temporary)).length === 0);
    } finally {
      running.child.kill("SIGKILL");
    }
  });
}, 60_000);

test.each([
  ["--workers for one seed", ["--workers", "2"], "--workers needs more than one seed: add --runs N or --minutes N"],
  ["two measures of depth", ["--runs", "2", "--minutes", "1"], "--runs and --minutes exclude each other"],
  ["no workers", ["--runs", "2", "--workers", "0"], '--workers is "0", expected a whole number from 1'],
])("%s is refused", async (_, words, complaint) => {
  const { code, stderr } = await cli(...run, ...words);
  expect({ code, stderr }).toEqual({ code: 2, stderr: `webhooks-conformance: ${complaint}\n` });
});

test("a target that does not start is exit 3 with its last words, whichever seed it was", async () => {
  await withFolder(async (folder) => {
    const target = await targetFile(folder, ["chatty", "exit-after-chat"]);
    const words = ["--case", "PROPERTY-ORDER", "--runs", "2", "--workers", "2"];
    const { code, stdout, stderr } = await cli("run", "--target", target, ...words);
    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toMatch(/^webhooks-conformance: the target ended before it was ready/m);
  });
});
