/** Where the time of a run goes: requests, time and processor time, by group of cases. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cases } from "../../conformance/catalogue.ts";
import type { Case } from "../../conformance/harness/case.ts";
import { readProfile } from "../../conformance/interface/profile.ts";
import { reportSchema, type Report } from "../../conformance/report/report.ts";
import { planOf } from "../../conformance/run/plan.ts";
import { median, type Measure, type Table } from "./measure.ts";

const root = join(import.meta.dirname, "..", "..");
const cli = join(root, "dist", "conformance", "cli", "main.js");
const example = join(root, "conformance", "examples", "embedded.json");

const RUNS = 5;
const SHOWN_CASES = 12;
/** Of Linux, for the times in /proc. */
const TICKS_PER_SECOND = 100;

type Result = Report["results"][number];

interface Run {
  readonly seconds: number;
  /** Processor time of the runner and of the targets that it started; undefined where the system does not tell. */
  readonly cpuSeconds: number | undefined;
  readonly targetsCpuSeconds: number | undefined;
  readonly results: readonly Result[];
}

/** The processor time of children that have ended, theirs included. */
function endedChildren(pid: number | "self"): number | undefined {
  try {
    const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ");
    const [, , , , , , , , , , , , , user, system] = fields.split(" ").map(Number);
    return ((user ?? 0) + (system ?? 0)) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

async function runOnce(more: readonly string[]): Promise<Run> {
  const folder = await mkdtemp(join(tmpdir(), "conformance-bench-"));
  try {
    const file = join(folder, "report.json");
    const target = join(folder, "target.json");
    // With both clocks the run would last as long as the longest wait.
    const driven = (await readFile(example, "utf8")).replaceAll("{clock}", "driven").replace('"../.."', `"${root}"`);
    await writeFile(target, driven);
    const before = endedChildren("self");
    const started = performance.now();
    const child = spawn(process.execPath, [cli, "run", "--target", target, "--report", `json=${file}`, ...more], {
      stdio: ["ignore", "ignore", "inherit"],
    });
    let targets: number | undefined;
    // The targets have ended when the report is written, so the last look before the runner's end sees them.
    const look = setInterval(() => (targets = endedChildren(child.pid ?? 0) ?? targets), 100);
    const [code] = (await once(child, "exit")) as [number];
    clearInterval(look);
    const seconds = (performance.now() - started) / 1000;
    if (code !== 0) throw new Error(`the run ended with exit code ${code}`);
    const after = endedChildren("self");
    const { results } = reportSchema.parse(JSON.parse(await readFile(file, "utf8")));
    const cpuSeconds = before === undefined || after === undefined ? undefined : after - before;
    return { seconds, cpuSeconds, targetsCpuSeconds: targets, results };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The groups in which a run on a driven clock has the cases. */
async function groups(): Promise<[what: string, cases: readonly Case[]][]> {
  const capabilities = new Set([...cases.flatMap(({ needs = [] }) => needs), "restart" as const]);
  const profile = await readProfile("reference", root);
  const plan = planOf(cases, { capabilities, profile, quick: false, clocks: "driven" });
  return [
    ["side by side", plan.groups.shared],
    ["alone, most one after the other", plan.groups.alone],
    ["very many requests, one after the other", plan.groups.costly],
    ["other configurations", [...plan.variants.values()].flat()],
  ];
}

const sum = (results: readonly Result[], of: (result: Result) => number) =>
  results.reduce((total, result) => total + of(result), 0);
const secondsOf = (ms: number) => (ms / 1000).toFixed(2);

async function rowsOf(results: readonly Result[]): Promise<string[][]> {
  const row = (what: string, some: readonly Result[]) => {
    return [
      what,
      String(some.length),
      String(sum(some, ({ requests }) => requests)),
      secondsOf(sum(some, ({ ms }) => ms)),
    ];
  };
  const rows = (await groups()).map(([what, members]) => {
    const ids = new Set(members.map(({ id }) => id));
    return row(
      what,
      results.filter(({ id }) => ids.has(id)),
    );
  });
  const longest = results.toSorted((a, b) => b.ms - a.ms).slice(0, SHOWN_CASES);
  return [...rows, ...longest.map((one) => row(one.id, [one]))];
}

async function measure(): Promise<Table> {
  const whole: Run[] = [];
  const quick: Run[] = [];
  for (let turn = 0; turn < RUNS; turn += 1) {
    whole.push(await runOnce([]));
    quick.push(await runOnce(["--quick"]));
  }
  const line = (what: string, runs: readonly Run[]) => {
    const [{ results } = { results: [] }] = runs;
    const cpu = (of: (run: Run) => number | undefined) => {
      const known = runs.map(of).filter((value) => value !== undefined);
      return known.length === runs.length ? median(known).toFixed(1) : "";
    };
    return [
      what,
      String(results.filter(({ outcome }) => outcome !== "not-applicable").length),
      String(sum(results, ({ requests }) => requests)),
      median(runs.map(({ seconds }) => seconds)).toFixed(2),
      cpu(({ cpuSeconds }) => cpuSeconds),
      cpu(({ targetsCpuSeconds }) => targetsCpuSeconds),
    ];
  };
  const parts = (await rowsOf(whole[0]?.results ?? [])).map((cells) => [...cells, "", ""]);
  return {
    head: ["what", "cases", "requests", "seconds", "CPU s", "of it targets"],
    rows: [line("the whole run", whole), line("--quick", quick), ...parts],
    note:
      `Medians of ${RUNS} runs, in turns; the parts are of the first one. The seconds of a part are those of its cases, ` +
      "also where they ran at the same time as others.",
  };
}

export const where: Measure = {
  about:
    "Where the time of a run goes: the embedded gateway in processes of its own, on its driven clock, by the command as users run it.",
  measure,
};
