/** Takes a snapshot of the SecretRefs in a configuration document, at start-up and at a reload only. */
import { execFile } from "node:child_process";
import { readFile, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, resolve, sep } from "node:path";
import type { GatewayDocument } from "./document.ts";

const sourceNames = ["env", "file", "exec", "store"] as const;
type SourceName = (typeof sourceNames)[number];

const execTimeoutMs = 5_000;
const largestValueBytes = 65_536;

interface SecretSources {
  /** The folder that relative paths start from: the configuration file's. */
  configDir: string;
  /** What `env` reads. */
  env: NodeJS.ProcessEnv;
  /** The environment of `exec` commands. Default `env`. */
  commandEnv?: NodeJS.ProcessEnv | undefined;
}

/** A secret that could not be resolved, or is blank. Holds neither its value nor its id. */
interface SecretFailure {
  entryId: string;
  routeId: string;
  /** `unknown`: not a source of the interface. */
  source: SourceName | "unknown";
}

interface SecretSnapshot {
  document: GatewayDocument;
  failures: SecretFailure[];
}

/**
 * A copy of the document in which each `plugins.entries.*.config.routes.*.secret` that is a SecretRef is replaced by its
 * value. One that cannot be resolved, or whose value is blank, stays an object and is listed. Never throws for a source.
 */
export async function resolveSecrets(document: GatewayDocument, sources: SecretSources): Promise<SecretSnapshot> {
  const copy = structuredClone(document);
  const references = [...referencesIn(copy)];
  // All at the same time: a command takes longer than the rest of a start.
  const values = await Promise.all(
    references.map(
      async ({ source, reference }) => source && resolveReference(source, reference, copy.secrets ?? {}, sources),
    ),
  );
  const failures: SecretFailure[] = [];
  for (const [index, { entryId, routeId, route, source }] of references.entries()) {
    const value = values[index];
    if (value?.trim()) route["secret"] = value;
    else failures.push({ entryId, routeId, source: source ?? "unknown" });
  }
  return { document: copy, failures };
}

/** The environment variables that secrets of the document name. */
export function variablesIn(document: GatewayDocument): Set<unknown> {
  return new Set(Array.from(referencesIn(document), ({ source, reference }) => source === "env" && reference["id"]));
}

function* referencesIn({ plugins }: GatewayDocument) {
  for (const [entryId, entry] of Object.entries(plugins?.entries ?? {})) {
    const routes = entry.config?.["routes"];
    if (!isObject(routes)) continue;
    for (const [routeId, route] of Object.entries(routes)) {
      if (!isObject(route) || !isObject(route["secret"])) continue;
      const reference = route["secret"];
      const source = sourceNames.find((name) => name === reference["source"]);
      yield { entryId, routeId, route, reference, source };
    }
  }
}

type Settings = NonNullable<GatewayDocument["secrets"]>;

async function resolveReference(
  source: SourceName,
  reference: Record<string, unknown>,
  settings: Settings,
  sources: SecretSources,
): Promise<string | undefined> {
  const { provider, id } = reference;
  if (provider !== "default" || typeof id !== "string" || id === "") return undefined;
  try {
    return await readers[source](id, settings, sources);
  } catch {
    // The error is dropped: its message may quote the value.
    return undefined;
  }
}

type Reader = (id: string, settings: Settings, sources: SecretSources) => Promise<string | undefined>;

const readers: Record<SourceName, Reader> = {
  env: async (id, _settings, { env }) => ownString(env, id),
  file: async (id, { file }, { configDir }) => file && readInside(resolve(configDir, file.dir), id),
  exec: async (id, { exec }, sources) => exec && run(exec.command, id, sources),
  store: async (id, { store }, { configDir }) => store && readStore(resolve(configDir, store.path), id),
};

/** Refuses a path outside the folder, also by a symbolic link, and what is not a plain file. */
async function readInside(dir: string, id: string): Promise<string | undefined> {
  const path = await realpath(join(dir, id));
  const inside = relative(await realpath(dir), path);
  if (inside.split(sep, 1)[0] === ".." || isAbsolute(inside)) return undefined;
  const found = await stat(path);
  if (!found.isFile() || found.size > largestValueBytes) return undefined;
  return withoutNewline(await readFile(path, "utf8"));
}

function run([program = "", ...given]: readonly string[], id: string, sources: SecretSources): Promise<string> {
  return new Promise((done, failed) => {
    const limits = { timeout: execTimeoutMs, killSignal: "SIGKILL", maxBuffer: largestValueBytes } as const;
    const where = { cwd: sources.configDir, env: sources.commandEnv ?? sources.env, windowsHide: true };
    // No shell: an id is one argument, whatever characters it has.
    const child = execFile(program, [...given, id], { ...where, ...limits }, (error, stdout) => {
      if (error) failed(error);
      else done(withoutNewline(stdout));
    });
    child.stdin?.on("error", () => undefined);
    child.stdin?.end();
  });
}

async function readStore(path: string, id: string): Promise<string | undefined> {
  if (!(await stat(path)).isFile()) return undefined;
  const store: unknown = JSON.parse(await readFile(path, "utf8"));
  return isObject(store) ? ownString(store, id) : undefined;
}

function ownString(values: Record<string, unknown>, id: string): string | undefined {
  const value = Object.hasOwn(values, id) ? values[id] : undefined;
  return typeof value === "string" ? value : undefined;
}

function withoutNewline(text: string): string {
  return text.replace(/\r?\n$/, "");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
