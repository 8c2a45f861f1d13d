/** The CI jobs of this repository, and those of the pages: what GitHub and GitLab are told, and what their commands do. */
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { isNight } from "../conformance/test-support/night.test-support.ts";
import { withProject } from "./ci-steps.test-support.ts";

interface Workflow {
  readonly permissions: object;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly "timeout-minutes"?: number;
        readonly strategy?: {
          readonly matrix: { readonly node?: readonly string[]; readonly shard?: readonly string[] };
        };
        readonly steps: readonly {
          readonly run?: string;
          readonly uses?: string;
          readonly with?: Readonly<Record<string, unknown>>;
        }[];
      }
    >
  >;
}

interface GitlabJob {
  readonly timeout?: string;
  readonly script: readonly string[];
  readonly artifacts: { readonly paths: readonly string[]; readonly reports?: { readonly junit: string } };
}

const root = join(import.meta.dirname, "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const page = read("docs/MAINTAINERS.md");
const jobs = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(
  ([, text = ""]) => parse(text, { strict: true }) as Record<string, unknown>,
);
const [plainGithub, plainGitlab] = jobs as [Workflow, Record<string, GitlabJob>];
const own = parse(read(".github/workflows/ci.yml"), { strict: true }) as Workflow;
const ownSteps = Object.values(own.jobs).flatMap(({ steps }) => steps);
const { scripts, engines } = JSON.parse(read("package.json")) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines: { readonly node: string };
};

const OURS = "./.github/actions/webhooks-conformance";
const ACTIONS = [undefined, OURS, "actions/checkout@v7", "actions/setup-node@v7"];

test("every job has a time limit, may only read, and uses actions of the present versions", () => {
  for (const { permissions, jobs: ofGithub } of [own, plainGithub]) {
    expect(permissions).toEqual({ contents: "read" });
    for (const [name, job] of Object.entries(ofGithub)) {
      expect(job["timeout-minutes"], name).toBeGreaterThan(0);
      for (const { uses } of job.steps) expect(ACTIONS).toContain(uses);
    }
  }
  for (const [name, job] of Object.entries(plainGitlab)) {
    expect(job.timeout, name).toMatch(/^\d+ minutes$/);
  }
});

test("each command of this repository's jobs is `npm ci` or a script of package.json", () => {
  const commands = ownSteps.flatMap(({ run }) => run?.replace(/\$\{\{ matrix\.\w+ \}\}/g, "1/4") ?? []);
  const named = commands.filter((command) => command !== "npm ci");
  expect(named).not.toEqual([]);
  for (const command of named) {
    const [, script = ""] = /^npm (?:run )?([\w:-]+)(?: -- [\w/. -]+)?$/.exec(command) ?? [];
    expect(Object.keys(scripts), command).toContain(script);
  }
});

test("the oldest supported Node is tested, and the proof is judged by every one of its shards", () => {
  expect(own.jobs["test"]?.strategy?.matrix.node?.[0]).toBe(engines.node.replace(">=", ""));
  const shards = own.jobs["prove"]?.strategy?.matrix.shard ?? [];
  expect(shards.length).toBeGreaterThan(1);
  expect(shards).toEqual(shards.map((_, index) => `${index + 1}/${shards.length}`));
});

test("the plain job gives the action only inputs that it has, and the page names each", () => {
  const { inputs } = parse(read("action.yml")) as { inputs: Record<string, unknown> };
  const step = plainGithub.jobs["conformance"]?.steps.find(({ uses }) => uses === OURS);
  for (const name of Object.keys(step?.with ?? {})) expect(Object.keys(inputs)).toContain(name);
  for (const name of Object.keys(inputs)) expect(page).toMatch(new RegExp(`\`${name}[\`:]|^ +${name}: `, "m"));
});

const FEW = ["AUTH-BEARER", "AUTH-WRONG", "METHOD-GET"];
const few = FEW.map((id) => `--case=${id}`);

test.each(isNight ? ["plain"] : [])("GitLab's %s job writes the reports that it keeps", async () => {
  const job = plainGitlab["conformance"];
  await withProject({ runOptions: few }, async ({ folder, run, read: written }) => {
    const plugin = join(root, "dist", "plugin", "index.js");
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    await writeFile(join(folder, "plugin.js"), `export { default } from ${JSON.stringify(plugin)};`);
    const baseline = (await written("baseline.json")).replace('"reference"', '"spec"');
    await writeFile(join(folder, "baseline.json"), baseline);
    const { code, log } = await run(job?.script.join("\n") ?? "");
    expect(log).toMatch(/^partial run: CONFORMANT/m);
    expect(code).toBe(0);
    expect(await written("npm.txt")).toBe("ci\n");
    for (const file of [...(job?.artifacts.paths ?? []), job?.artifacts.reports?.junit ?? "none"]) {
      expect(existsSync(join(folder, file)), file).toBe(true);
    }
  });
});
