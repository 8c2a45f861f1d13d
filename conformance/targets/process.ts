/** The target as a child process: in a process group of its own, stopped within bounded time, no process left behind. */
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { tailOf } from "../foundation/tail.ts";
import { untilAborted } from "../foundation/until-aborted.ts";

interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Longest wait for a killed group leader to end, ms. */
const KILL_WAIT_MS = 2000;
/** How long a target may take to end once the user has stopped the run, ms. */
const LAST_MOMENT_MS = 500;
/** How long the output of a process that has ended is read, ms. */
const LAST_WORDS_MS = 250;
/** More bytes than a kept tail has characters. */
const KEPT_BYTES = 64 * 1024;
const isWindows = process.platform === "win32";
const living = new Set<ChildProcess>();

// Kills the targets when the runner exits for whatever reason.
process.on("exit", () => {
  for (const child of living) signalTree(child, "SIGKILL");
});

export class TargetProcess {
  readonly #child: ChildProcess;
  /** Settles when the process is gone. */
  readonly exited: Promise<void>;
  /** The end of what the process wrote to stderr, at most 8 KB. */
  stderrTail = "";
  /** The same of stdout. */
  stdoutTail = "";
  #gone = false;

  private constructor(child: ChildProcess) {
    this.#child = child;
    living.add(child);
    child.stdout?.on("data", (chunk: Buffer) => (this.stdoutTail = tailOf(this.stdoutTail + endOf(chunk))));
    child.stderr?.on("data", (chunk: Buffer) => (this.stderrTail = tailOf(this.stderrTail + endOf(chunk))));
    const closed = once(child, "close");
    this.exited = once(child, "exit").then(async () => {
      // What it wrote last may still be in the pipes; a process that it started may hold them open.
      await Promise.race([closed, afterMs(LAST_WORDS_MS)]);
      this.#gone = true;
    });
  }

  /** Starts a command in a process group of its own. Rejects where there is no such program, a NUL in a word, too many bytes. */
  static async start({ program, args, ...where }: Command): Promise<TargetProcess> {
    const child = spawn(program, args, { ...where, detached: !isWindows, stdio: ["ignore", "pipe", "pipe"] });
    await once(child, "spawn");
    return new TargetProcess(child);
  }

  /** `exit code 1`, `signal SIGSEGV`; undefined while it runs. */
  get ending(): string | undefined {
    if (!this.#gone) return undefined;
    return this.#child.signalCode === null
      ? `exit code ${String(this.#child.exitCode)}`
      : `signal ${this.#child.signalCode}`;
  }

  /**
   * SIGTERM to the group; SIGKILL to it once its leader has ended, at the latest after `timeoutMs`, or half a second
   * after `hurry` is aborted. Settles when the leader is gone, at most two seconds after the SIGKILL.
   */
  async stop(timeoutMs: number, hurry?: AbortSignal): Promise<void> {
    if (!this.#gone) {
      signalTree(this.#child, "SIGTERM");
      const ended = Promise.race([this.exited, afterMs(timeoutMs)]);
      await untilAborted(hurry, ended, () => {}).catch(() => Promise.race([ended, afterMs(LAST_MOMENT_MS)]));
    }
    // Child processes of the target may outlive it: end the whole group.
    signalTree(this.#child, "SIGKILL");
    await Promise.race([this.exited, afterMs(KILL_WAIT_MS)]);
    living.delete(this.#child);
    // A child process that left the group may hold the pipes open; do not wait for it.
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
  }
}

/** As much of a piece of output as can be kept: a target may write gigabytes. */
function endOf(chunk: Buffer): string {
  return chunk.subarray(-KEPT_BYTES).toString("utf8");
}

/** Below the ephemeral ports: an outgoing connection could take one of those before the target listens. */
const [FIRST_PORT, LAST_PORT] = [20_000, 32_000];
let nextPort = randomInt(FIRST_PORT, LAST_PORT);

/** A TCP port on 127.0.0.1 that was free a moment ago and that this process has not given out lately. */
export async function freePort(): Promise<number> {
  for (let tries = FIRST_PORT; tries < LAST_PORT; tries += 1) {
    const port = nextPort;
    nextPort = port + 1 < LAST_PORT ? port + 1 : FIRST_PORT;
    if (await isFree(port)) return port;
  }
  throw new Error(`no TCP port from ${FIRST_PORT} to ${LAST_PORT} is free on 127.0.0.1`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}

function signalTree(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (child.pid === undefined) return;
  try {
    if (isWindows) spawnSync("taskkill", ["/pid", String(child.pid), "/T", "/F"]);
    else process.kill(-child.pid, signal);
  } catch {
    // No such group any more.
  }
}

const afterMs = (ms: number): Promise<void> => delay(ms, undefined, { ref: false });
