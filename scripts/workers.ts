/** Works jobs off in child processes of a script, one for each core. */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { pooled } from "../conformance/proof/pool.ts";

export interface Job {
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
): Promise<void> {
  const workers = Array.from({ length: Math.min(availableParallelism(), jobs.length) }, () => fork(file, args));
  // Each job's answer comes as a message of its own.
  for (const worker of workers) worker.setMaxListeners(4 * width);
  let turn = 0;
  await pooled(jobs, workers.length * width, async (job) => {
    tell(job, await ask<Result>(workers[turn++ % workers.length] as ChildProcess, job));
  });
  for (const worker of workers) worker.disconnect();
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
