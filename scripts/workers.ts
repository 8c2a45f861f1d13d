/** Works jobs off in child processes of a script, one for each core. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { pooled } from "../conformance/proof/pool.ts";

interface Job {
  readonly id: string;
}

interface Reply<Result> {
  readonly id: string;
  readonly result: Result;
}

/** A larger space for young objects: most of what a run makes is dead soon, and is otherwise copied first, MB. */
const YOUNG_MB = 64;

/**
 * Gives each job to a process of `file`, which has to call `workOff`; `width`: jobs at a time in one process. `maxMs`:
 * after that time no further job is started; `tell` gets those that were.
 */
export async function inWorkers<Result, Item extends Job = Job>(
  file: string,
  args: readonly string[],
  jobs: readonly Item[],
  width: number,
  tell: (job: Item, result: Result) => void,
  maxMs = Number.POSITIVE_INFINITY,
): Promise<Result[]> {
  const started = performance.now();
  const execArgv = [...process.execArgv, `--max-semi-space-size=${YOUNG_MB}`];
  const count = Math.min(availableParallelism(), jobs.length);
  const workers = Array.from({ length: count }, () => fork(file, args, { execArgv }));
  const free = Array.from({ length: width }, () => workers).flat();
  const results = await pooled(jobs, free.length, async (job) => {
    if (performance.now() - started >= maxMs) return undefined;
    const worker = free.shift() as ChildProcess;
    const result = await ask<Result>(worker, job);
    free.push(worker);
    tell(job, result);
    return result;
  });
  for (const worker of workers) worker.disconnect();
  return results.filter((result) => result !== undefined);
}

function ask<Result>(worker: ChildProcess, job: Job): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onMessage = ({ id, result }: Reply<Result>) => {
      if (id !== job.id) return;
      settle();
      resolve(result);
    };
    const onExit = (code: number | null) => {
      settle();
      reject(new Error(`the process that judged ${job.id} ended (exit code ${String(code)})`));
    };
    const settle = () => worker.off("message", onMessage).off("exit", onExit);
    worker.on("message", onMessage).on("exit", onExit).send(job);
  });
}

/** In the child process: answers jobs until the parent goes. */
export async function workOff<Result>(work: (id: string, job: Job) => Promise<Result>): Promise<never> {
  process.on("message", (job: Job) => {
    const { id } = job;
    void (async () => process.send?.({ id, result: await work(id, job) } satisfies Reply<Result>))();
  });
  await once(process, "disconnect");
  process.exit(0);
}
