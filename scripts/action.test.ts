/** The composite action: its shape as GitHub reads it, and its shell steps as a runner runs them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { isNight } from "../conformance/test-support/night.test-support.ts";
import { withProject, type Project } from "./ci-steps.test-support.ts";

interface ActionStep {
  readonly name: string;
  readonly id?: string;
  readonly if?: string;
  readonly shell?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, "..");
const action = parse(readFileSync(join(root, "action.yml"), "utf8"), { strict: true }) as {
  readonly name: string;
  readonly description: string;
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly outputs: Readonly<Record<string, { readonly description: string; readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly ActionStep[] };
};
const { steps } = action.runs;
const [install, judge, upload] = steps;

test("the action has the keys that GitHub knows, and every name that it uses", () => {
  expect(Object.keys(action)).toEqual(["name", "description", "inputs", "outputs", "runs"]);
  expect(action.runs.using).toBe("composite");
  for (const input of Object.values(action.inputs)) expect(Object.keys(input)).toEqual(["description", "default"]);
  const text = JSON.stringify(action);
  const used = [...text.matchAll(/\$\{\{ inputs\.([\w-]+)/g)].map(([, name = ""]) => name);
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(action.inputs).toSorted());
  for (const [, id] of text.matchAll(/steps\.([\w-]+)\.outputs/g)) expect(steps.map((step) => step.id)).toContain(id);
  for (const name of Object.keys(action.outputs)) expect(judge?.run).toContain(`echo "${name}=`);
});

test("no input becomes a part of a script, and each script names its shell", () => {
  for (const step of steps.filter(({ run }) => run !== undefined)) {
    expect(step.run).not.toContain("${{");
    expect(step.shell).toBe("bash");
  }
});

test("the reports are kept after a red run too", () => {
  expect(upload?.uses).toBe("actions/upload-artifact@v7");
  expect(upload?.if).toContain("!cancelled()");
  expect(upload?.with?.["path"]).toBe(action.outputs["reports"]?.value);
});

type Ended = Pick<Project, "read" | "kitWords"> & { readonly code: number | null; readonly log: string };

/** Runs a step with the action's defaults, and with the inputs that are given. */
async function ran(
  step: ActionStep | undefined,
  given: Readonly<Record<string, string>>,
  how: Parameters<typeof withProject>[0],
  use: (ended: Ended) => unknown,
) {
  const defaults = Object.fromEntries(Object.entries(action.inputs).map(([name, input]) => [name, input.default]));
  const inputs: Record<string, string> = { ...defaults, ...given };
  await withProject(how, async ({ folder, read, run, kitWords }) => {
    const filled = (value: string) =>
      value
        .replaceAll("${{ runner.temp }}", join(folder, "temp"))
        .replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_whole, input: string) => inputs[input] ?? "");
    const env = Object.fromEntries(Object.entries(step?.env ?? {}).map(([name, value]) => [name, filled(value)]));
    await use({ ...(await run(step?.run ?? "", env)), read, kitWords });
  });
}

const FEW = ["AUTH-BEARER", "AUTH-WRONG", "GAP-REFUSED-METHOD"].map((id) => `--case=${id}`);

test.each(isNight ? ["a red run"] : [])(
  "%s of the kit itself writes the reports, the summary, the annotations and the outputs",
  async () => {
    const given = { profile: "house.json", options: FEW.join("\n"), artifact: "red" };
    await ran(judge, given, {}, async ({ code, log, read }) => {
      expect(log).toMatch(/^::error title=GAP-REFUSED-METHOD::/m);
      expect(code).toBe(1);
      expect(await read("outputs")).toMatch(/^reports=.*\/temp\/red\nexit-code=1\n$/);
      expect(await read("summary.md")).toContain("GAP-REFUSED-METHOD");
      expect(await read("temp/red/junit.xml")).toContain("<failure");
      expect(await read("temp/red/report.html")).toMatch(/^<!doctype html>/i);
      const report = JSON.parse(await read("temp/red/report.json")) as { results: unknown[] };
      expect(report.results).toHaveLength(3);
    });
  },
);

const red = 'for word; do case $word in --report=json=*) echo {} > "${word#--report=json=}";; esac; done; exit 1';

test("a red run is the step's end, and is told by its own report", async () => {
  await ran(judge, { artifact: "red" }, { kit: red }, async ({ code, log, read }) => {
    expect([code, log]).toEqual([1, ""]);
    expect(await read("outputs")).toMatch(/^reports=.*\/temp\/red\nexit-code=1\n$/);
  });
});

test("a green run ends the step with 0; the kit is told what is not empty, each option as one word", async () => {
  await ran(judge, { options: "--case=A\n\n--case=B C\n" }, { kit: "" }, async ({ code, read, kitWords }) => {
    expect(code).toBe(0);
    expect(await read("outputs")).toMatch(/^reports=.*\/temp\/webhooks-conformance\nexit-code=0\n$/);
    const [words = []] = await kitWords();
    expect(words.slice(0, 5)).toEqual(["run", "--target=target.json", "--fail-on=gap", "--case=A", "--case=B C"]);
    expect(words.slice(5).map((word) => word.replace(/=(\w+)=.*\//, "=$1="))).toEqual([
      "--report=json=report.json",
      "--report=html=report.html",
      "--report=junit=junit.xml",
      "--report=github",
    ]);
  });
});

test("a plugin takes the place of the target file", async () => {
  await ran(judge, { plugin: "./plugin.js" }, { kit: "" }, async ({ kitWords }) => {
    const [words = []] = await kitWords();
    expect(words.slice(0, 3)).toEqual(["run", "--plugin=./plugin.js", "--fail-on=gap"]);
  });
});

test("a run without a verdict is an annotation, and text of an input is no command", async () => {
  const baseline = "none.json; echo lost $(echo command)";
  await ran(judge, { baseline }, { kit: "exit 2" }, async ({ code, log, read, kitWords }) => {
    expect((await kitWords())[0]).toContain(`--baseline=${baseline}`);
    expect(log).toMatch(/^::error title=webhooks-conformance::There is no verdict \(exit 2\)/);
    expect(code).toBe(2);
    expect(await read("outputs")).toContain("exit-code=2\n");
  });
});

test.each([
  ["0.1.0", "webhooks-conformance@0.1.0"],
  ["tools/webhooks-conformance-0.1.0.tgz", "file:tools/webhooks-conformance-0.1.0.tgz"],
])("package %s is installed as %s", async (given, wanted) => {
  await ran(install, { package: given }, {}, async ({ code, read }) => {
    expect(code).toBe(0);
    expect((await read("npm.txt")).trimEnd().split("\n")).toEqual([
      "install",
      "--no-save",
      "--no-audit",
      "--no-fund",
      wanted,
    ]);
  });
});

test.each(["latest", "^0.1.0", "0.1", "--global", "other@1.0.0", "0.1.0\n--global"])(
  "package %j is refused: it is no one version",
  async (given) => {
    await ran(install, { package: given }, {}, ({ code, log }) => {
      expect(log).toMatch(/^::error title=webhooks-conformance::The input 'package' takes an exact version/);
      expect(code).toBe(2);
    });
  },
);
