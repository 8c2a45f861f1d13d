import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, vi } from "vitest";
import { StartError } from "../foundation/start-error.ts";
import { reportSchema, type Report } from "../report/report.ts";
import { draftWith } from "../test-support/report.test-support.ts";
import { conclude } from "../report/make-report.ts";
import { cases } from "../catalogue.ts";
import { levelOf } from "../harness/case.ts";
import { call, interrupted, targetFile } from "../test-support/cli.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import { judgeSeeds } from "./many-seeds.ts";
import { command as merge } from "./merge.ts";
import { command as run } from "./run.ts";

const asked = (target: string) => ["--target", target, "--case", "PROPERTY-LEAKAGE"] as const;

test("several seeds make one report, tell how far they are, and are whole in each shard", async ({ folder }) => {
  const target = await targetFile(folder);
  const [files, codes]: [string[], number[]] = [[], []];
  let said = "";
  for (const shard of ["1/2", "2/2"]) {
    const file = join(folder, `${shard[0]}.json`);
    const more = ["--case", "AUTH-BEARER", "--shard", shard, "--seed", "6", "--runs", "2", "--report", `json=${file}`];
    const { code, told } = await call(run, ...asked(target), ...more);
    codes.push(code);
    files.push(file);
    said += told;
  }
  expect(codes).toEqual(expect.arrayContaining([0, 1]));
  // The other shard has no property.
  expect(said).toMatch(/^1 of 2 seeds, \d+\.\d min left, failed: PROPERTY-LEAKAGE\n2 of 2 .*\n$/);
  const out = join(folder, "whole.json");
  expect((await call(merge, ...files, "--report", `json=${out}`)).code).toBe(1);
  const { depth, results, selection } = reportSchema.parse(JSON.parse(await readFile(out, "utf8")));
  expect([depth, selection.shard]).toEqual([{ seeds: [6, 7] }, undefined]);
  expect(results.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(["AUTH-BEARER pass", "PROPERTY-LEAKAGE fail"]);
  // The example ran with the first seed only.
  expect(results[0]?.requests).toBeLessThan(10);
});

test("an interrupt between seeds reports those that were looked at, and leaves nothing behind", async ({ folder }) => {
  const temporary = join(folder, "tmp");
  await mkdir(temporary);
  const args = [...asked(await targetFile(folder)), "--runs", "1000"];
  vi.stubEnv("TMPDIR", temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, text, told } = await interrupted(run, "SIGINT", /1 of 1000 seeds, /, ...args);
  expect(code).toBe(130);
  expect(told).toMatch(/interrupted: stopping the target\n$/);
  expect(text).toMatch(/^note: interrupted: (1 seed was|\d+ seeds were) judged\n1 cases? in .*: 1 \w+\n/m);
  expect(text).toMatch(/\npartial run: INTERRUPTED with profile \S+ \(exit 130\)\n$/);
  expect(await readdir(temporary)).toEqual([]);
});

/** The report of one seed, with this outcome. */
function reportOf(seed: number, outcome: "pass" | "fail"): Report {
  const [property] = cases.filter(({ id }) => id === "PROPERTY-LEAKAGE");
  if (property === undefined) throw new Error("there is no such case");
  const results = [{ ...property, level: levelOf(property), outcome, exchanges: [], ms: 5, requests: 10 }];
  return conclude({ ...draftWith(results, { suite: cases }), depth: { seeds: [seed] } }, undefined);
}

/** Seed 6 finds something, and seed 7 cannot be judged. */
async function judge(seed: number): Promise<Report> {
  if (seed === 7) throw new StartError("the target ended before it was ready");
  return reportOf(seed, seed === 6 ? "fail" : "pass");
}

/** What several seeds come to, and the last line of progress. */
async function judgedSeeds(first: number, judging = judge) {
  let last = "";
  const loop = { judge: judging, isStopped: () => false, onProgress: (line: string) => void (last = line) };
  return { report: await judgeSeeds(first, 4, loop), last };
}

test("a seed that could not be judged does not hide what another one found", async () => {
  const { report, last } = await judgedSeeds(5);
  expect(report).toMatchObject({ depth: { seeds: [5, 6] }, verdict: { exitCode: 1 } });
  expect(last).toMatch(/^2 of 4 seeds, .*, failed: PROPERTY-LEAKAGE$/);
});

test("a seed that could not be judged is an error of the run where no other one found anything", async () => {
  const { report } = await judgedSeeds(5, (seed) => judge(seed === 6 ? 7 : seed));
  expect(report).toMatchObject({ depth: { seeds: [5] }, verdict: { exitCode: 4, open: ["PROPERTY-LEAKAGE"] } });
  expect(report.results).toMatchObject([
    { outcome: "error", reason: expect.stringMatching(/with the seed 6: .*the target ended before it was ready/) },
  ]);
});
