import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { StartError } from "../foundation/start-error.ts";
import { reportSchema, type Report } from "../report/report.ts";
import { draftWith } from "../test-support/report.test-support.ts";
import { conclude } from "../report/make-report.ts";
import { cases } from "../catalogue.ts";
import { levelOf } from "../harness/case.ts";
import { call, main, signalled, targetFile } from "../test-support/cli.test-support.ts";
import { until } from "../test-support/until.test-support.ts";
import { test } from "../test-support/folder.test-support.ts";
import { judgeSeeds } from "./many-seeds.ts";
import { command as merge } from "./merge.ts";
import { command as run } from "./run.ts";

const asked = (target: string) => ["--target", target, "--case", "PROPERTY-LEAKAGE"] as const;

/** The embedded gateway, which passes what the small one of the other tests does not. */
const served = (folder: string, program: string = main): Promise<string> =>
  targetFile(folder, [], {
    start: { command: ["node", program, ..."serve --config {config} --port {port}".split(" ")] },
  });

test("several seeds make one report, tell how far they are, and are whole in each shard", async ({ folder }) => {
  const target = await served(folder);
  const files: string[] = [];
  let said = "";
  for (const shard of ["1/2", "2/2"]) {
    const file = join(folder, `${shard[0]}.json`);
    const more = ["--case", "AUTH-BEARER", "--shard", shard, "--seed", "6", "--runs", "2", "--report", `json=${file}`];
    const { code, told } = await call(run, ...asked(target), ...more);
    expect(code).toBe(0);
    files.push(file);
    said += told;
  }
  // The other shard has no property.
  expect(said).toMatch(/^1 of 2 seeds, \d+\.\d min left\n2 of 2 .*\n$/);
  const out = join(folder, "whole.json");
  expect((await call(merge, ...files, "--report", `json=${out}`)).code).toBe(0);
  const { depth, results, selection } = reportSchema.parse(JSON.parse(await readFile(out, "utf8")));
  expect([depth, selection.shard]).toEqual([{ seeds: [6, 7] }, undefined]);
  expect(results.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(["AUTH-BEARER pass", "PROPERTY-LEAKAGE pass"]);
  // The example ran with the first seed only.
  expect(results[0]?.requests).toBeLessThan(10);
});

test("an interrupt between seeds reports those that were looked at, and leaves nothing behind", async ({ folder }) => {
  const temporary = join(folder, "tmp");
  await mkdir(temporary);
  const args = ["run", ...asked(await targetFile(folder)), "--runs", "1000"];
  const { code, stdout, stderr } = await signalled(args, "SIGINT", /1 of 1000 seeds, /, { TMPDIR: temporary });
  expect(code).toBe(130);
  expect(stderr).toMatch(/interrupted: stopping the target\n$/);
  expect(stdout).toMatch(/^note: interrupted: (1 seed was|\d+ seeds were) judged\n1 cases? in .*: 1 \w+\n/m);
  expect(stdout).toMatch(/\npartial run: INTERRUPTED with profile \S+ \(exit 130\)\n$/);
  // Node from 22.1 on keeps the command's compiled code in the temporary folder, for the next start.
  await until(async () => (await readdir(temporary)).every((name) => name === "node-compile-cache"));
});

test("a seed that could not be judged is an error of the run, and what the others found is told", async ({
  folder,
}) => {
  // The gateway starts once, which is enough for the first seed's property.
  const once = `
    import { existsSync, writeFileSync } from "node:fs";
    if (existsSync("started")) process.exit(9);
    writeFileSync("started", "");
    await import(${JSON.stringify(main)});`;
  await writeFile(join(folder, "once.mjs"), once);
  const out = join(folder, "report.json");
  const args = [...asked(await served(folder, "once.mjs")), "--runs", "2", "--report", `json=${out}`] as const;
  const { code, text } = await call(run, ...args);
  expect(text).toMatch(/PROPERTY-LEAKAGE[^]*with the seed 2: the target ended before it was ready \(exit code 9\)/);
  expect(code).toBe(4);
  const { depth, verdict } = reportSchema.parse(JSON.parse(await readFile(out, "utf8")));
  expect([depth, verdict.open]).toEqual([{ seeds: [1] }, ["PROPERTY-LEAKAGE"]]);
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

test("a seed that could not be judged does not hide what another one found", async () => {
  const said: string[] = [];
  const loop = { judge, isStopped: () => false, onProgress: (line: string) => void said.push(line) };
  const report = await judgeSeeds(5, 4, loop);
  expect(report).toMatchObject({ depth: { seeds: [5, 6] }, verdict: { exitCode: 1 } });
  expect(said.at(-1)).toMatch(/^2 of 4 seeds, .*, failed: PROPERTY-LEAKAGE$/);
});
