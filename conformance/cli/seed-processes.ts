/** Runs many seeds: each in a process of its own, on a target of its own, several at the same time. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ReportFile } from "../report/merge.ts";
import { readReport } from "../report/read.ts";
import { newStateFolder, removeStateFolder } from "../targets/state-folder.ts";
import { EXIT } from "./command.ts";

export interface SeedPlan {
  /** The first seed; the others follow one by one. */
  readonly first: number;
  /** How many seeds; infinite where `forMs` bounds them. */
  readonly count: number;
  /** How long new seeds are started, ms; infinite where `count` bounds them. */
  readonly forMs: number;
  /** Processes at the same time. */
  readonly workers: number;
  /** The arguments of `run` for this seed, without those for its report. */
  readonly argumentsFor: (seed: number) => readonly string[];
  /** The seeds that the report names, if not those that were run. */
  readonly reportedSeeds?: number[];
}

interface SeedsRun {
  /** One for each seed that was run, in the order of the seeds. */
  readonly reports: readonly ReportFile[];
  /** The first process that gave no report: its exit code and its stderr. */
  readonly failure?: Ended;
}

interface Ended {
  readonly code: number;
  readonly stderr: string;
}

/** `tell` receives lines of progress. An aborted signal ends the running processes early; their reports are kept. */
export async function runSeeds(plan: SeedPlan, signal: AbortSignal, tell: (line: string) => void): Promise<SeedsRun> {
  const folder = await newStateFolder();
  const started = performance.now();
  const elapsed = () => performance.now() - started;
  const { first, count, forMs, workers, argumentsFor } = plan;
  const reports = new Map<number, ReportFile>();
  let next = first;
  let failure: Ended | undefined;
  const isOver = () =>
    signal.aborted || failure !== undefined || next >= first + count || (next > first && elapsed() >= forMs);
  const worker = async () => {
    while (!isOver()) {
      const seed = next++;
      const file = join(folder, `${seed}.json`);
      const ended = await runOne([...argumentsFor(seed), "--report", `json=${file}`], signal);
      const isWritten = existsSync(file) && ended.code !== EXIT.usage && ended.code !== EXIT.unreachable;
      if (isWritten) reports.set(seed, { file: `seed ${seed}`, report: await readReport(file) });
      else if (!signal.aborted) failure ??= ended;
      if (!signal.aborted && isWritten) tell(progressOf(reports, plan, elapsed()));
    }
  };
  try {
    await Promise.all(Array.from({ length: workers }, worker));
  } finally {
    await removeStateFolder(folder);
  }
  const inOrder = [...reports].toSorted(([a], [b]) => a - b).map(([, shard]) => shard);
  return { reports: inOrder, ...(failure && { failure }) };
}

const running = new Set<ReturnType<typeof spawn>>();

// However this process ends, the others must end too: they stop their targets.
process.on("exit", () => {
  for (const child of running) child.kill("SIGTERM");
});

async function runOne(words: readonly string[], signal: AbortSignal): Promise<Ended> {
  const [, main = ""] = process.argv;
  const child = spawn(process.execPath, [...process.execArgv, main, "run", ...words], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  running.add(child);
  let stderr = "";
  child.stderr.on("data", (chunk) => (stderr = `${stderr}${String(chunk)}`.slice(-8192)));
  const stop = () => void child.kill("SIGTERM");
  signal.addEventListener("abort", stop);
  const [code] = (await once(child, "close")) as [number | null];
  signal.removeEventListener("abort", stop);
  running.delete(child);
  return { code: code ?? EXIT.unreachable, stderr };
}

/** `3 of 20 seeds, 7406 requests (2900/s), 84 states met, 1.5 min left`. */
function progressOf(reports: ReadonlyMap<number, ReportFile>, { count, forMs }: SeedPlan, ms: number): string {
  const results = [...reports.values()].flatMap(({ report }) => report.results);
  const requests = results.reduce((sum, result) => sum + result.requests, 0);
  const cells = new Set(
    // Example cases have tables of their own.
    results.flatMap(({ id, visits = {} }) =>
      Object.entries(id.startsWith("PROPERTY-") ? visits : {}).flatMap(([action, row]) =>
        Object.entries(row).flatMap(([column, times]) => (times > 0 ? [`${action} ${column}`] : [])),
      ),
    ),
  );
  const failed = new Set(results.flatMap(({ id, outcome }) => (outcome === "fail" ? [id] : [])));
  const left = Math.min((ms / reports.size) * (count - reports.size), Math.max(0, forMs - ms));
  const done = count === Infinity ? `${reports.size} seeds` : `${reports.size} of ${count} seeds`;
  const rate = Math.round((requests / ms) * 1000);
  const red = failed.size === 0 ? "" : `, failed: ${[...failed].join(" ")}`;
  return `${done}, ${requests} requests (${rate}/s), ${cells.size} states met, ${(left / 60_000).toFixed(1)} min left${red}\n`;
}
