/** A plugin that a gateway loads, as a target: the embedded gateway hosts it in a process of its own, with either clock. */
import { existsSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, resolve } from "node:path";
import { UsageError } from "../foundation/usage-error.ts";
import type { Target } from "./target-file.ts";

/** Loading a plugin is given up before, ms. */
const READY_TIMEOUT_MS = 20_000;
const STOP_TIMEOUT_MS = 3000;
/** A plugin answers on loopback, in a process of its own: one that takes longer answers nothing. */
const REQUEST_TIMEOUT_MS = 5000;
const SERVE = "serve --config {config} --port {port} --control-port {controlPort} --clock {clock}".split(" ");
/** Writes out the file of the secret, in the folder that comes first. A start waits for it, and Node's own takes longest. */
const readSecret =
  process.platform === "win32"
    ? [process.execPath, "-e", "process.stdout.write(require('node:fs').readFileSync(process.argv.slice(1).join('/')))"]
    : ["sh", "-c", 'exec cat "$0/$1"'];

/** What a target file says of the kit's own gateway: its control port, and where it finds secrets of each source. */
export const ofGateway = {
  control: "http://127.0.0.1:{controlPort}",
  // The gateway resolves secrets, but a plugin gets the document: it may refuse a source, or look a secret up again.
  config: {
    merge: {
      secrets: {
        file: { dir: "{stateDir}/secrets" },
        exec: { command: [...readSecret, "{stateDir}/exec"] },
        store: { path: "{stateDir}/store.json" },
      },
    },
  },
  secretSources: {
    file: { file: "{stateDir}/secrets/{id}" },
    exec: { file: "{stateDir}/exec/{id}" },
    store: { json: "{stateDir}/store.json" },
  },
};

interface NamedPlugin {
  /** A file, or an installed package. */
  readonly plugin: string;
  readonly product?: string | undefined;
  /** What `serve --runtime` takes. */
  readonly runtime?: string | undefined;
  /** The longest wait for one answer, ms. */
  readonly requestTimeoutMs?: number | undefined;
}

/**
 * The fields of its target file. `program`: the words that call the command line; by default this kit's own. Throws
 * `UsageError` for a file that is not there.
 */
export function pluginTarget(named: NamedPlugin, program: readonly string[] = thisProgram()) {
  const { plugin, product, runtime, requestTimeoutMs = REQUEST_TIMEOUT_MS } = named;
  if (looksLikeFile(plugin) && !isFile(plugin)) {
    throw new UsageError(
      `there is no plugin file ${plugin} in ${process.cwd()}: expected a module whose default export is the plugin, ` +
        "or the name of an installed package",
    );
  }
  const kind = runtime === undefined ? [] : ["--runtime", runtime];
  return {
    // A file is mostly called index.js: its folder tells which one.
    name: isFile(plugin) ? `${basename(dirname(resolve(plugin)))}/${basename(plugin)}` : plugin,
    ...(product !== undefined && { product }),
    start: {
      command: [...program, ...SERVE, ...kind, "--plugin", plugin],
      readyTimeoutMs: READY_TIMEOUT_MS,
      stopTimeoutMs: STOP_TIMEOUT_MS,
    },
    requestTimeoutMs,
    ...ofGateway,
  };
}

function thisProgram(): string[] {
  const kit = createRequire(import.meta.url).resolve("webhooks-conformance/package.json");
  return [process.execPath, join(dirname(kit), "dist", "conformance", "cli", "main.js")];
}

const isFile = (named: string): boolean => existsSync(named) && statSync(named).isFile();

const looksLikeFile = (named: string): boolean => existsSync(named) || /^\.|^\/|\\|\.[cm]?[jt]sx?$/.test(named);

/** Where a debugger finds the plugin's process. */
export const INSPECTED = "127.0.0.1:9229";
/** A person may look at a breakpoint for so long, ms. */
const HOUR_MS = 3_600_000;

/** The same target, whose process a debugger can attach to and hold. */
export function inspected(target: Target): Target {
  const { start } = target;
  if (start === undefined) return target;
  const [node = "", ...words] = start.command;
  return {
    ...target,
    isInspected: true,
    requestTimeoutMs: HOUR_MS,
    start: { ...start, command: [node, `--inspect=${INSPECTED}`, ...words] },
  };
}
