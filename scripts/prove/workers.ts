/** Works jobs off in child processes of the running script, one for each core: with its own options, and `--worker`. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";

/** A larger space for young objects: most of what a run makes is dead soon, and is otherwise copied first, MB. */
const YOUNG_MB = 64;

/**
 * Begins the jobs in their order, `width` at a time in one process; `tell` gets each result as it comes. The script has to
 * call `workOff` when it gets `--worker`. Rejects when a process ends in a job.
 */
export async function inWorkers<Job extends object>(
  jobs: readonly Job[],
  width: number,
  tell: (job: Job, result: never) => void,
): Promise<void> {
  const [, file = "", ...options] = process.argv;
  const waiting = [...jobs.keys()];
  const start = () => {
    const child = fork(file, [...options, "--worker"], {
      execArgv: [...process.execArgv, `--max-semi-space-size=${YOUNG_MB}`],
    });
    let running = 0;
    const next = () => {
      const index = waiting.shift();
      if (index === undefined) return running === 0 && child.connected && child.disconnect();
      running += 1;
      return child.send({ index, job: jobs[index] });
    };
    child.on("message", ({ index, result }: { index: number; result: never }) => {
      running -= 1;
      tell(jobs[index] as Job, result);
      next();
    });
    const ended = once(child, "exit").then(([code]) => {
      if (running > 0) throw new Error(`a process that judged ended (exit code ${code})`);
    });
    return { next, ended };
  };
  const workers = Array.from({ length: Math.min(availableParallelism(), jobs.length) }, start);
  for (let turn = 0; turn < width; turn += 1) for (const { next } of workers) next();
  await Promise.all(workers.map(({ ended }) => ended));
}

/** In the child process: works jobs off until the parent goes. */
export function workOff(judge: (job: never) => Promise<unknown>): void {
  process.on("message", ({ index, job }: { index: number; job: never }) => {
    void (async () => process.send?.({ index, result: await judge(job) }))();
  });
  process.on("disconnect", () => process.exit());
}
