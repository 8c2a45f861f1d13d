/** Installs the peer on demand into a folder that git ignores; with 700 MB it is too large for a dependency. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { StartError } from "../../foundation/start-error.ts";

/** The oldest Node that the peer accepts. */
const LEAST_NODE = [24, 16] as const;
const INSTALL_TIMEOUT_MS = 600_000;
const TAIL_CHARACTERS = 2000;
const MOST_BYTES = 64 * 1024 * 1024;
const run = promisify(execFile);

/** The folder of the installs. CONFORMANCE_CACHE names another, which several checkouts can share. */
export const cacheFolder = resolve(
  process.env["CONFORMANCE_CACHE"] ?? join(import.meta.dirname, "..", "..", "..", ".cache"),
);

export interface Installed {
  /** Absolute path of a Node that the peer accepts. */
  readonly node: string;
  /** Absolute path of the peer's package. */
  readonly peer: string;
  /** The folder that holds it, for files beside it. */
  readonly folder: string;
}

/** Installs a version of the peer, and a Node for it, unless they are there. Throws `StartError` with what to do. */
export async function install(version: string): Promise<Installed> {
  const folder = await installed(`openclaw-${version}`, `openclaw@${version}`);
  return { node: await nodeForPeer(), peer: join(folder, "node_modules", "openclaw"), folder };
}

async function nodeForPeer(): Promise<string> {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])) return process.execPath;
  const platform = process.platform === "win32" ? "win" : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const folder = await installed(`node-${LEAST_NODE[0]}`, `${name}@${LEAST_NODE[0]}`);
  return join(folder, "node_modules", name, "bin", platform === "win" ? "node.exe" : "node");
}

/** Installs packages into a folder of their own, and returns it; an interrupted install leaves no such folder. */
export async function installed(name: string, ...packages: readonly string[]): Promise<string> {
  const folder = join(cacheFolder, name);
  if (existsSync(join(folder, "node_modules"))) return folder;
  const unfinished = `${folder}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await writeFile(join(unfinished, "package.json"), '{ "private": true }\n');
  process.stderr.write(`installing ${packages.join(", ")} into ${folder}\n`);
  await npm(["install", ...packages, "--ignore-scripts", "--no-audit", "--no-fund"], unfinished);
  await rename(unfinished, folder);
  return folder;
}

/** Runs npm in a folder and returns its standard output. Throws `StartError` with npm's last lines. */
export async function npm(args: readonly string[], cwd: string): Promise<string> {
  // Under `npm run` this names the running npm, on Windows too.
  const cli = process.env["npm_execpath"];
  const [program, before] = cli === undefined ? ["npm", []] : [process.execPath, [cli]];
  try {
    const words = [...before, ...args];
    return (await run(program, words, { cwd, timeout: INSTALL_TIMEOUT_MS, maxBuffer: MOST_BYTES })).stdout;
  } catch (error) {
    const { stderr = "", code, signal } = error as { stderr?: string; code?: string | number; signal?: string };
    throw new StartError(
      `npm ${args.slice(0, 2).join(" ")} failed (${code ?? signal}). The peer comes from npm's registry and needs 700 MB of disk.\n` +
        "Is the registry reachable (npm ping)? Behind a proxy or a mirror: npm config set registry URL. Then run this again;\n" +
        "CONFORMANCE_CACHE=DIR uses an install that another checkout or machine has made.",
      { stderrTail: stderr.slice(-TAIL_CHARACTERS) },
    );
  }
}
