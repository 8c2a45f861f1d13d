/** Works jobs off in child processes of a script, one for each core. */
import { fork } from "node:child_process";
import { availableParallelism } from "node:os";
import type { Job } from "./jobs.ts";
import type { Judged } from "./judge.ts";

interface Reply {
  readonly job: Job;
  readonly judged: Judged;
}

interface Pool {
  /** The script, which has to call `workOff`, and its arguments. */
  readonly file: string;
  readonly args: readonly string[];
  /** Jobs at a time in one process. */
  readonly width: number;
  /** No further job is begun after this time. */
  readonly maxMs: number;
}

/** A larger space for young objects: most of what a run makes is dead soon, and is otherwise copied first, MB. */
const YOUNG_MB = 64;

/** Begins the jobs in their order; `tell` gets each result as it comes. Rejects when a process ends in a job. */
export async function inWorkers(
  jobs: readonly Job[],
  { file, args, width, maxMs }: Pool,
  tell: (job: Job, judged: Judged) => void,
): Promise<void> {
  const end = performance.now() + maxMs;
  const left = [...jobs];
  const start = () => {
    const child = fork(file, args, { execArgv: [...process.execArgv, `--max-semi-space-size=${YOUNG_MB}`] });
    let running = 0;
    const next = () => {
      const job = performance.now() < end ? left.shift() : undefined;
      if (job === undefined) return running === 0 && child.disconnect();
      running += 1;
      return child.send(job);
    };
    child.on("message", ({ job, judged }: Reply) => {
      running -= 1;
      tell(job, judged);
      next();
    });
    const ended = new Promise<void>((resolve, reject) => {
      const failed = (code: number | null) => reject(new Error(`a process that judged ended (exit code ${code})`));
      child.on("exit", (code) => (running === 0 ? resolve() : failed(code)));
    });
    return { next, ended };
  };
  const all = Array.from({ length: Math.min(availableParallelism(), jobs.length) }, start);
  for (let turn = 0; turn < width; turn += 1) for (const { next } of all) next();
  await Promise.all(all.map(({ ended }) => ended));
}

/** In the child process: judges jobs until the parent goes. */
export function workOff(judge: (job: Job) => Promise<Judged>): void {
  process.on("message", (job: Job) => {
    void (async () => process.send?.({ job, judged: await judge(job) } satisfies Reply))();
  });
  process.on("disconnect", () => process.exit());
}
