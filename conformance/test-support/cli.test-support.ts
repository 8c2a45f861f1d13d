/** Runs the command line: as a process, or one command inside the process of the tests. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, vi } from "vitest";
import type { Command } from "../cli/command.ts";
import { LONGEST_CHILD } from "./longest-child.test-support.ts";
import { gatewayStart } from "./gateway.test-support.ts";

/** The built command line, as users get it; from source it would start three times slower. `npm test` builds it first. */
export const main = join(import.meta.dirname, "..", "..", "dist", "conformance", "cli", "main.js");

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** What it has written to standard output so far. */
  stdout(): string;
}

export function start(args: readonly string[], env: Record<string, string> = {}): Started {
  const child = spawn(process.execPath, [main, ...args], { ...LONGEST_CHILD, env: { ...process.env, ...env } });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk) => (stdout += String(chunk)));
  child.stderr.on("data", (chunk) => (stderr += String(chunk)));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, stdout, stderr }));
  return { child, ended, stdout: () => stdout };
}

interface Called {
  readonly code: number;
  /** Standard output. */
  readonly text: string;
  /** Standard error. */
  readonly told: string;
}

/** Runs one command in this process, without `main`, and shows what it has written so far. */
export function calling(command: Command, ...args: string[]) {
  let [text, told] = ["", ""];
  const own = setTimeout;
  const mocks = [
    vi.spyOn(process.stdout, "write").mockImplementation((piece, taken?: unknown) => {
      text += String(piece);
      if (typeof taken === "function") taken();
      return true;
    }),
    vi.spyOn(process.stderr, "write").mockImplementation((piece) => ((told += String(piece)), true)),
    // The process of the tests goes on after an interrupt.
    vi
      .spyOn(globalThis, "setTimeout")
      .mockImplementation((work: () => void, ms?: number) =>
        own(String(work).includes("process.exit") ? () => {} : work, ms),
      ),
  ];
  const ended = command(args)
    .then((code): Called => ({ code, text, told }))
    .finally(() => mocks.forEach((mock) => mock.mockRestore()));
  return { ended, text: () => text, told: () => told };
}

/** Runs one command in this process to its end. */
export const call = (command: Command, ...args: string[]): Promise<Called> => calling(command, ...args).ended;

/** The same, and interrupts it once it has told this on standard error. */
export async function interrupted(command: Command, signal: NodeJS.Signals, told: RegExp, ...args: string[]) {
  const running = calling(command, ...args);
  await expect.poll(running.told, { timeout: 60_000 }).toMatch(told);
  process.emit(signal, signal);
  return running.ended;
}

/** Runs the command line to its end. */
export const cli = (...args: string[]): Promise<Ended> => start(args).ended;

/** Writes a target file that starts the tests' gateway. */
export async function targetFile(folder: string, tricks: readonly string[] = [], more: object = {}): Promise<string> {
  const file = join(folder, "target.json");
  await writeFile(file, JSON.stringify({ name: "test gateway", start: gatewayStart(tricks), ...more }));
  return file;
}
