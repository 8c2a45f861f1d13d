/** Loads the plugin that a user names. Every mistake in it is a StartError: what, where, what was expected, what to do. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { messageOf, placeIn, StartError, toldOf } from "./errors.ts";
import type { LoadablePlugin } from "./gateway.ts";

const EXPECTED = "Expected: export default { id, register(api) { ... } }";
/** The longest wait for a module, and for `register`, ms. */
const SETTLES_MS = 10_000;
/** Taken before a driven clock replaces it. */
const { setTimeout: realTimeout } = globalThis;

/** `named`: a file, or an installed package, both as seen from the working folder. Throws StartError. */
export async function loadPlugin(named: string): Promise<LoadablePlugin> {
  const file = placeOf(named);
  if (/\.[cm]?ts$/.test(file)) await useTsx(file);
  let loaded: Record<string, unknown>;
  try {
    const loading = import(pathToFileURL(file).href) as Promise<Record<string, unknown>>;
    loaded = await settled(loading, `The plugin ${named} is never loaded: a top-level await in it does not settle.`);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(whyNotLoaded(named, file, error), { cause: error });
  }
  const plugin = checked(named, loaded);
  const unsettled = `register of the plugin ${named} returns a promise that does not settle.`;
  return { id: plugin.id, register: (api) => settled(Promise.resolve(plugin.register(api)), unsettled) };
}

function placeOf(named: string): string {
  const path = resolve(named);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return path;
  try {
    return createRequire(join(process.cwd(), "from-here.js")).resolve(named);
  } catch {
    throw new StartError(
      `There is no plugin file ${named} in ${process.cwd()}, and no package of that name is installed there. ` +
        `Name the module whose default export is the plugin, such as ./plugin.js.`,
    );
  }
}

/** tsx, where it is installed beside the plugin, knows all of the language; Node from 22.18 on most of it. */
async function useTsx(file: string): Promise<void> {
  let tsx: string;
  try {
    tsx = createRequire(file).resolve("tsx");
  } catch {
    return;
  }
  await import(pathToFileURL(tsx).href);
}

/** The promise's value; a StartError once nothing is left that could settle it, or after the longest wait. */
async function settled<T>(promise: Promise<T>, why: string): Promise<T> {
  const ending = new AbortController();
  const giveUp = () => ending.abort();
  // Unreferenced: where nothing else is going on, `beforeExit` tells at once.
  const timer = realTimeout(giveUp, SETTLES_MS).unref();
  process.once("beforeExit", giveUp);
  const never = once(ending.signal, "abort").then(() => {
    throw new StartError(`${why} Let it settle within ${SETTLES_MS / 1000} s.`);
  });
  try {
    return await Promise.race([promise, never]);
  } finally {
    timer.close();
    process.off("beforeExit", giveUp);
  }
}

const isEsInCommonJs =
  /^(Unexpected token 'export'|Cannot use import statement outside a module|Cannot use 'import\.meta')/;

function whyNotLoaded(named: string, file: string, error: unknown): string {
  const message = messageOf(error).replace(/\n[^]*$/, "");
  const { code } = error as { code?: unknown };
  if (error instanceof SyntaxError && isEsInCommonJs.test(message)) {
    return `The plugin ${named}, or a module of its own, is written with import and export, but ${commonJsBy(file)}.`;
  }
  if (code === "ERR_UNKNOWN_FILE_EXTENSION" || code === "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX") {
    return (
      `The plugin ${named} is TypeScript that Node ${process.versions.node} does not run by itself: ${message}. ` +
      `Install tsx beside it (npm install --save-dev tsx), or name the compiled file.`
    );
  }
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") {
    return `The plugin ${named} imports what is not there: ${message}.`;
  }
  if (error instanceof SyntaxError) {
    return `The plugin ${named} cannot be loaded: ${message}${placeOfSyntaxError(file, error)}.`;
  }
  return `The plugin ${named} threw while it was loaded: ${toldOf(error)}.`;
}

/** Why Node takes the file for CommonJS, and what to do. */
function commonJsBy(file: string): string {
  if (/^\.c[jt]s$/.test(extname(file))) return `its name ends with ${extname(file)}, which is CommonJS: call it .mjs`;
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest)) {
      const says = /"type"\s*:\s*"commonjs"/.test(readFileSync(manifest, "utf8")) ? ` says "type": "commonjs"` : "";
      return `${manifest}${says || ` does not say so`}: write "type": "module" there, or call the file .mjs`;
    }
    if (folder === dirname(folder)) return `no package.json says so: write one with "type": "module", or call it .mjs`;
  }
}

/** Node keeps where a syntax error of a module is to itself, but prints it: the module is loaded once more, as a program. */
function placeOfSyntaxError(file: string, { stack = "" }: SyntaxError): string {
  const again = () =>
    spawnSync(process.execPath, [file], { encoding: "utf8", timeout: SETTLES_MS, killSignal: "SIGKILL" });
  return placeIn(stack) || placeIn(again().stderr);
}

/** A CommonJS module that was compiled from an ES module has its default export one level deeper. */
function checked(named: string, loaded: Record<string, unknown>): LoadablePlugin {
  const given = loaded["default"];
  const inner = typeof given === "object" && given !== null ? (given as { default?: unknown }).default : undefined;
  const plugin = (isObject(given) && "register" in given ? given : (inner ?? given)) as
    Partial<LoadablePlugin> | undefined;
  if (!isObject(plugin)) {
    const names = Object.keys(loaded).filter((name) => name !== "default");
    const others = names.length === 0 ? "it exports nothing" : `it exports ${names.slice(0, 5).join(", ")}`;
    const what = given === undefined ? `no default export: ${others}` : `a default export that is a ${typeof given}`;
    throw new StartError(`The plugin ${named} has ${what}. ${EXPECTED}.`);
  }
  const lacks = [
    ...(typeof plugin.id === "string" ? [] : ["an id (a string)"]),
    ...(typeof plugin.register === "function" ? [] : ["a function register"]),
  ];
  if (lacks.length === 0) return plugin as LoadablePlugin;
  throw new StartError(`The default export of the plugin ${named} lacks ${lacks.join(" and ")}. ${EXPECTED}.`);
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
