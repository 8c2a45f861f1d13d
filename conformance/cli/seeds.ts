/** Many seeds: each in a process of its own and on a target started anew, some at the same time. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ReportFile } from "../report/merge.ts";
import { readReport } from "../report/read.ts";
import { EXIT } from "./command.ts";

export interface SeedPlan {
  /** The first seed; the others follow one by one. */
  readonly first: number;
  /** How many, or how long seeds are begun, ms. */
  readonly until: { readonly count: number } | { readonly ms: number };
  /** Processes at the same time. */
  readonly workers: number;
  /** The words for `run` with this seed, but for its report. */
  readonly wordsFor: (seed: number) => readonly string[];
  /** The seeds that the report names, where they are not those that were looked at. */
  readonly told?: number[];
}

export interface SeedsRun {
  /** One for each seed that was looked at, in their order. */
  readonly reports: readonly ReportFile[];
  /** Of a process that gave no report: its exit code and what it said. */
  readonly failure?: { readonly code: number; readonly said: string };
}

/** `tell` gets lines of progress. An aborted signal breaks off what is under way; what was found by then is in the reports. */
export async function runSeeds(plan: SeedPlan, signal: AbortSignal, tell: (line: string) => void): Promise<SeedsRun> {
  const folder = await mkdtemp(join(tmpdir(), "webhooks-conformance-seeds-"));
  const started = performance.now();
  const { first, until, workers, wordsFor } = plan;
  const reports = new Map<number, ReportFile>();
  let next = first;
  let failure: SeedsRun["failure"];
  const isOver = () => {
    if (signal.aborted || failure !== undefined) return true;
    return "count" in until ? next >= first + until.count : next > first && performance.now() - started >= until.ms;
  };
  const worker = async () => {
    while (!isOver()) {
      const seed = next++;
      const file = join(folder, `${seed}.json`);
      const ended = await runOne([...wordsFor(seed), "--format", "json", "--out", file], signal);
      const isWritten = existsSync(file) && ended.code !== EXIT.usage && ended.code !== EXIT.unreachable;
      if (isWritten) reports.set(seed, { file: `seed ${seed}`, report: await readReport(file) });
      else if (!signal.aborted) failure ??= ended;
      if (!signal.aborted && isWritten) tell(progressOf(reports, until, performance.now() - started));
    }
  };
  try {
    await Promise.all(Array.from({ length: workers }, worker));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const inOrder = [...reports].toSorted(([a], [b]) => a - b).map(([, shard]) => shard);
  return { reports: inOrder, ...(failure && { failure }) };
}

const running = new Set<ReturnType<typeof spawn>>();

// Whatever ends this process ends the others: they stop their targets.
process.on("exit", () => {
  for (const child of running) child.kill("SIGTERM");
});

async function runOne(words: readonly string[], signal: AbortSignal): Promise<{ code: number; said: string }> {
  const [, main = ""] = process.argv;
  const child = spawn(process.execPath, [...process.execArgv, main, "run", ...words], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  running.add(child);
  let said = "";
  child.stderr.on("data", (chunk) => (said = `${said}${String(chunk)}`.slice(-8192)));
  const stop = () => void child.kill("SIGTERM");
  signal.addEventListener("abort", stop);
  const [code] = (await once(child, "close")) as [number | null];
  signal.removeEventListener("abort", stop);
  running.delete(child);
  return { code: code ?? EXIT.unreachable, said };
}

/** `3 of 20 seeds, 7406 requests (2900/s), 84 states met, 1.5 min left`. */
function progressOf(reports: ReadonlyMap<number, ReportFile>, until: SeedPlan["until"], ms: number): string {
  const results = [...reports.values()].flatMap(({ report }) => report.results);
  const requests = results.reduce((sum, result) => sum + result.requests, 0);
  const cells = new Set(
    results.flatMap(({ visits = {} }) =>
      Object.entries(visits).flatMap(([action, row]) =>
        Object.entries(row).flatMap(([column, count]) => (count > 0 ? [`${action} ${column}`] : [])),
      ),
    ),
  );
  const failed = new Set(results.flatMap(({ id, outcome }) => (outcome === "fail" ? [id] : [])));
  const left = "count" in until ? (ms / reports.size) * (until.count - reports.size) : Math.max(0, until.ms - ms);
  const done = "count" in until ? `${reports.size} of ${until.count} seeds` : `${reports.size} seeds`;
  const rate = Math.round((requests / ms) * 1000);
  const red = failed.size === 0 ? "" : `, failed: ${[...failed].join(" ")}`;
  return `${done}, ${requests} requests (${rate}/s), ${cells.size} states met, ${(left / 60_000).toFixed(1)} min left${red}\n`;
}
