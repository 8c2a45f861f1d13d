/** The command line as a process of its own, and its commands without one. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { vi } from "vitest";
import type { Command } from "../cli/command.ts";
import { gatewayFile } from "./gateway.test-support.ts";

/** As users get it, and started in a third of the time; `npm test` builds first. */
const main = join(import.meta.dirname, "..", "..", "dist", "conformance", "cli", "main.js");

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** What it has written to standard output so far. */
  stdout(): string;
}

export function start(args: readonly string[], env: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, ...env } });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { child, ended, stdout: () => stdout };
}

/** Runs a command in this process, where `main` is not what is tested: its exit code, and what it prints. */
export async function call(command: Command, ...args: string[]): Promise<{ code: number; text: string }> {
  let text = "";
  const write = vi.spyOn(process.stdout, "write").mockImplementation((piece) => ((text += String(piece)), true));
  try {
    return { code: await command.run(args), text };
  } finally {
    write.mockRestore();
  }
}

/** Runs a command to its end. */
export const cli = (...args: string[]): Promise<Ended> => start(args).ended;

/** Writes a target file that starts the tests' gateway. */
export async function targetFile(folder: string, tricks: readonly string[] = [], more: object = {}): Promise<string> {
  const file = join(folder, "target.json");
  const command = [process.execPath, gatewayFile, "--config", "{config}", "--port", "{port}", ...tricks];
  const startWith = { command, readyTimeoutMs: 10_000, stopTimeoutMs: 300 };
  await writeFile(file, JSON.stringify({ name: "test gateway", start: startWith, ...more }));
  return file;
}
