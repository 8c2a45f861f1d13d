import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reportSchema } from "../report/report.ts";
import { call, targetFile } from "../test-support/cli.test-support.ts";
import { gatewayFile, gatewayStart, withFolder } from "../test-support/gateway.test-support.ts";
import { command as merge } from "./merge.ts";
import { command as run } from "./run.ts";

/** The gateway of the tests shows nothing that it was not sent. */
const asked = (target: string) => ["--target", target, "--case", "PROPERTY-LEAKAGE"] as const;

test("several seeds make one report, and tell how far they are", async () => {
  await withFolder(async (folder) => {
    const out = join(folder, "report.json");
    // The first seed alone does not meet enough for a verdict.
    const more = ["--seed", "6", "--runs", "2", "--report", `json=${out}`];
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

test("a shard is judged with all the seeds, and merges with others that were", async () => {
  await withFolder(async (folder) => {
    const target = await targetFile(folder);
    const files = await Promise.all(
      ["1/2", "2/2"].map(async (shard) => {
        const file = join(folder, `${shard[0]}.json`);
        const only = ["--target", target, "--case", "PROPERTY-LEAKAGE", "--case", "AUTH-BEARER", "--shard", shard];
        await call(run, ...only, "--seed", "6", "--runs", "2", "--report", `json=${file}`);
        return file;
      }),
    );
    const out = join(folder, "whole.json");
    expect((await call(merge, ...files, "--report", `json=${out}`)).code).toBe(0);
    const { depth, results, selection } = reportSchema.parse(JSON.parse(await readFile(out, "utf8")));
    expect([depth, selection.shard]).toEqual([{ seeds: [6, 7] }, undefined]);
    expect(results.map(({ id, outcome }) => `${id} ${outcome}`)).toEqual(["AUTH-BEARER pass", "PROPERTY-LEAKAGE pass"]);
  });
}, 60_000);

test("a seed that could not be judged is exit 3, and what the others found is told", async () => {
  await withFolder(async (folder) => {
    // The gateway starts once, which is enough for the first seed's property.
    const once = `
      import { existsSync, writeFileSync } from "node:fs";
      if (existsSync("started")) process.exit(9);
      writeFileSync("started", "");
      await import(${JSON.stringify(gatewayFile)});`;
    await writeFile(join(folder, "once.mjs"), once);
    const { command } = gatewayStart([]);
    const start = { command: ["node", "once.mjs", ...command.slice(2)] };
    const { code, text, told } = await call(run, ...asked(await targetFile(folder, [], { start })), "--runs", "2");
    expect(told).toContain("the target ended before it was ready (exit code 9)");
    expect(text).toContain("PROPERTY-LEAKAGE");
    expect(code).toBe(3);
  });
}, 60_000);
