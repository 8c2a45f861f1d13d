/** A program that serves, as a script starts and ends it. */
import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

export interface Served {
  readonly baseUrl: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts a program with these arguments; it has to print where it listens. */
export async function served(program: string, args: readonly string[], options: SpawnOptions = {}): Promise<Served> {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "ignore", "ipc"] });
  for await (const line of createInterface(child.stdout as NodeJS.ReadableStream)) {
    const baseUrl = /^listening on (\S+)$/.exec(line)?.[1];
    if (baseUrl === undefined) continue;
    const stop = async () => {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    };
    return { baseUrl, child, stop };
  }
  throw new Error("the server ended before it listened");
}
