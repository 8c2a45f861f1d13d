/** What `run --watch` looks at: a plugin's module and what it imports, or the folder of a start command. */
import { watch } from "chokidar";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { messageOf } from "../foundation/message-of.ts";
import { UsageError } from "../foundation/usage-error.ts";
import type { Target } from "../targets/target-file.ts";

/** An editor writes a file in several steps, and saves several files at once: changes this close together are one, ms. */
const SETTLED_MS = 50;
/** The most modules of a plugin that are watched; of a larger plugin the first ones are. */
const MOST_MODULES = 2000;
/** Folders that hold what others wrote: packages, version control, caches of compilers. */
const IGNORED = /^(node_modules|__pycache__|\..+)$/;
const IMPORTED = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'](\.{1,2}\/[^"'\n]+)["']/g;
const ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".json", "/index.js", "/index.ts"];

interface Watched {
  readonly plugin?: string | undefined;
  readonly target: Target;
  /** Folders to watch in place of those that follow from the target. */
  readonly dirs: readonly string[];
}

/**
 * Calls `onSave` with the names of files that were written, removed or renamed, until `close` is called. Throws
 * `UsageError` where there is nothing to watch.
 */
export async function watchFiles({ plugin, target, dirs }: Watched, onSave: (names: readonly string[]) => void) {
  const isByModules = plugin !== undefined && dirs.length === 0;
  // The entry is found once: while an editor replaces the file it is not there.
  const entry = isByModules ? fileOf(plugin) : "";
  const modules = new Set(isByModules ? modulesOf(entry) : []);
  const folders = (dirs.length > 0 ? dirs : [folderOf(target)]).map((dir) => mustBeFolder(resolve(dir)));
  const watcher = isByModules
    ? // Their folders: a file that is gone for a moment is seen again.
      watch([...new Set([...modules].map((file) => dirname(file)))], {
        ...OPTIONS,
        depth: 0,
        ignored: (path, stats) => stats?.isFile() === true && !modules.has(path),
      })
    : watch(folders, { ...OPTIONS, ignored: (path) => folders.every((root) => isIgnored(relative(root, path))) });
  let saved: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const settled = () => {
    const names = [...new Set(saved)];
    saved = [];
    // The save may have added an import.
    for (const file of isByModules ? modulesOf(entry) : []) {
      if (!modules.has(file)) watcher.add(file);
      modules.add(file);
    }
    onSave(names);
  };
  watcher.on("all", (_, path) => {
    if (isByModules && !modules.has(path)) return;
    saved.push(basename(path));
    clearTimeout(timer);
    timer = setTimeout(settled, SETTLED_MS);
  });
  await new Promise<void>((ready, failed) => {
    watcher.once("ready", ready);
    watcher.on("error", (error) => failed(new UsageError(`the files cannot be watched: ${messageOf(error)}`)));
  });
  const close = async () => {
    clearTimeout(timer);
    await watcher.close();
  };
  return { close };
}

const OPTIONS = { ignoreInitial: true, followSymlinks: false } as const;

const isIgnored = (path: string) => path.split(/[/\\]/).some((name) => name !== ".." && IGNORED.test(name));

/** Where the start command runs. Throws `UsageError` for a target that it does not start. */
function folderOf({ start, launch, folder }: Target): string {
  if (start === undefined) throw new UsageError("--watch needs a target that the kit starts: this one has a baseUrl");
  if (launch !== undefined)
    throw new UsageError("--watch needs a target with a start command: modules of this process cannot be loaded anew");
  return resolve(folder, start.cwd);
}

function mustBeFolder(dir: string): string {
  if (existsSync(dir) && statSync(dir).isDirectory()) return dir;
  throw new UsageError(`there is no folder ${dir} to watch: name the one of the sources with --watch-dir`);
}

/** A module's file and the files that it imports by a relative path, and they in turn. */
export function modulesOf(entry: string): string[] {
  const found = [entry];
  // The list grows while it is walked.
  for (const file of found) {
    if (found.length > MOST_MODULES) break;
    for (const [, named = ""] of textOf(file).matchAll(IMPORTED)) {
      const path = join(dirname(file), named);
      const module = ENDINGS.map((ending) => path + ending).find((one) => isFile(one));
      if (module !== undefined && !found.includes(module)) found.push(module);
    }
  }
  return found;
}

/** While an editor replaces a file it cannot be read; it counts as one without imports then. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

const isFile = (path: string) => existsSync(path) && statSync(path).isFile();

function fileOf(plugin: string): string {
  if (existsSync(plugin) || /^[./]/.test(plugin)) return resolve(plugin);
  try {
    return createRequire(join(process.cwd(), "module.js")).resolve(plugin);
  } catch {
    throw new UsageError(`the files of the package ${plugin} are not found: name their folder with --watch-dir`);
  }
}
