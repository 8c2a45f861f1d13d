/** Works jobs off in child processes of a script, one for each core. */
import { fork } from "node:child_process";
import { availableParallelism } from "node:os";

/** What a script judges and what comes out is its own affair: both cross as they are. */
interface Reply<Job> {
  readonly job: Job;
  readonly judged: unknown;
}

interface Pool {
  /** The script, which has to call `workOff`, and its arguments. */
  readonly file: string;
  readonly args: readonly string[];
  /** Jobs at a time in one process. */
  readonly width: number;
  /** No further job is begun after this time. Default: none. */
  readonly maxMs?: number;
}

/** A larger space for young objects: most of what a run makes is dead soon, and is otherwise copied first, MB. */
const YOUNG_MB = 64;

/** Begins the jobs in their order; `tell` gets each result as it comes. Rejects when a process ends in a job. */
export async function inWorkers<Job extends object>(
  jobs: readonly Job[],
  { file, args, width, maxMs = Number.POSITIVE_INFINITY }: Pool,
  tell: (job: Job, judged: never) => void,
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
    child.on("message", ({ job, judged }: Reply<Job>) => {
      running -= 1;
      tell(job, judged as never);
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
export function workOff(judge: (job: never) => Promise<unknown>): void {
  process.on("message", (job: object) => {
    void (async () => process.send?.({ job, judged: await judge(job as never) } satisfies Reply<object>))();
  });
  process.on("disconnect", () => process.exit());
}
