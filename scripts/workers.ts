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

/** Gives each job to a process of `file`, which has to call `workOff`; `width`: jobs at a time in one process. */
export async function inWorkers<Result>(
  file: string,
  args: readonly string[],
  jobs: readonly Job[],
  width: number,
  tell: (job: Job, result: Result) => void,
): Promise<Result[]> {
  const workers = Array.from({ length: Math.min(availableParallelism(), jobs.length) }, () => fork(file, args));
  const free = Array.from({ length: width }, () => workers).flat();
  const results = await pooled(jobs, free.length, async (job) => {
    const worker = free.shift() as ChildProcess;
    const result = await ask<Result>(worker, job);
    free.push(worker);
    tell(job, result);
    return result;
  });
  for (const worker of workers) worker.disconnect();
  return results;
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
export async function workOff<Result>(work: (id: string) => Promise<Result>): Promise<never> {
  process.on("message", ({ id }: Job) => {
    void (async () => process.send?.({ id, result: await work(id) } satisfies Reply<Result>))();
  });
  await once(process, "disconnect");
  process.exit(0);
}
