/** The processes that `plugin.ts` measures. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { cacheFolder, install } from "../../conformance/peers/openclaw/install.ts";
import { PEER_VERSION } from "../../conformance/peers/openclaw/main.ts";
import { routeId, ROUTES, SECRET } from "./plugin-requests.ts";

export const subjects = ["echo", "plugin", "peer"] as const;
export type Subject = (typeof subjects)[number];

/** How to start the subjects that this machine has. The echo takes one argument more: what it is to answer. */
export interface Commands {
  /** All run on the same Node, the peer's if it needs another than this one. */
  readonly node: string;
  readonly args: Readonly<Record<"echo" | "plugin", readonly string[]> & { peer?: readonly string[] }>;
}

/** The peer's plugin is among them when it is installed. `folder`: for the configuration. */
export async function commandsIn(folder: string): Promise<Commands> {
  const ids = Array.from({ length: ROUTES }, (_, route) => routeId(route));
  const routes = Object.fromEntries(ids.map((id) => [id, { sessionKey: "bench", secret: SECRET }]));
  const config = join(folder, "config.json");
  await writeFile(
    config,
    JSON.stringify({ plugins: { entries: { webhooks: { enabled: true, config: { routes } } } } }),
  );
  const main = join(import.meta.dirname, "..", "..", "dist", "conformance", "cli", "main.js");
  const plugin = [main, "serve", "--config", config, "--port", "0"];
  const echo = [join(import.meta.dirname, "bare-echo.mjs")];
  if (!existsSync(join(cacheFolder, `openclaw-${PEER_VERSION}`))) {
    return { node: process.execPath, args: { echo, plugin } };
  }
  const { node, peer } = await install(PEER_VERSION);
  const module = join(peer, "dist", "extensions", "webhooks", "index.js");
  return { node, args: { echo, plugin, peer: [...plugin, "--plugin", module] } };
}

export interface Meter {
  /** Processor time since the process started. */
  readonly cpuUs: number;
  /** Bytes resident. */
  readonly rss: number;
}

export interface Server {
  readonly port: number;
  meter(): Promise<Meter>;
  /** Bytes of the heap after a garbage collection. The code is no longer warm then. */
  heap(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a program that prints where it listens. */
export async function startServer(node: string, args: readonly string[]): Promise<Server> {
  const child = spawn(node, ["--expose-gc", "--import", join(import.meta.dirname, "meter.mjs"), ...args], {
    stdio: ["ignore", "pipe", "ignore", "ipc"],
  });
  const port = await portOf(child);
  const ask = async (what: "meter" | "heap"): Promise<unknown> => {
    const answer = once(child, "message");
    child.send(what);
    const [told] = await answer;
    return told;
  };
  return {
    port,
    meter: () => ask("meter") as Promise<Meter>,
    heap: () => ask("heap") as Promise<number>,
    async stop() {
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error("the server has no output");
  for await (const line of createInterface(child.stdout)) {
    const [, port] = /^listening on http:\/\/[^:]+:(\d+)$/.exec(line) ?? [];
    if (port !== undefined) return Number(port);
  }
  throw new Error("the server ended before it listened");
}
