import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";

const root = join(import.meta.dirname, "..");
const { scripts, engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  scripts: Record<string, string>;
  engines: { node: string };
};
const workflow = parse(readFileSync(join(root, ".github/workflows/ci.yml"), "utf8")) as {
  permissions: object;
  jobs: Record<
    string,
    {
      "timeout-minutes"?: number;
      strategy?: { matrix: { node?: string[]; shard?: string[] } };
      steps: { run?: string }[];
    }
  >;
};
/** What the workflow puts in place of a matrix's value. */
const MATRIX = /\$\{\{ matrix\.\w+ \}\}/g;
const jobs = Object.entries(workflow.jobs);

test("each command of the workflow is `npm ci` or a script of package.json", () => {
  const commands = jobs.flatMap(([, { steps }]) => steps.flatMap(({ run }) => run?.replace(MATRIX, "1/4") ?? []));
  const named = commands.filter((command) => command !== "npm ci");
  expect(named).not.toEqual([]);
  for (const command of named) {
    const [, script = ""] = /^npm (?:run )?([\w:-]+)(?: -- [\w/. -]+)?$/.exec(command) ?? [];
    expect(Object.keys(scripts), command).toContain(script);
  }
});

test("the workflow may only read, each job has a time limit, and the oldest supported Node is tested", () => {
  expect(workflow.permissions).toEqual({ contents: "read" });
  for (const [name, job] of jobs) expect(job["timeout-minutes"], name).toBeGreaterThan(0);
  expect(workflow.jobs["test"]?.strategy?.matrix.node?.[0]).toBe(engines.node.replace(">=", ""));
});

test("the proof is judged by every one of its shards", () => {
  const shards = workflow.jobs["prove"]?.strategy?.matrix.shard ?? [];
  expect(shards.length).toBeGreaterThan(1);
  expect(shards).toEqual(shards.map((_, index) => `${index + 1}/${shards.length}`));
});
