/** The target file, which says how to start or reach an implementation: schema, reading and checking. */
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { clauseIds } from "../interface/clauses/index.ts";
import { firstLineOf } from "../foundation/message-of.ts";
import { readJson } from "../foundation/read-file.ts";
import { safeLine } from "../foundation/safe-text.ts";
import { checkedBy } from "../foundation/schema-faults.ts";
import { untilAborted } from "../foundation/until-aborted.ts";
import { UsageError } from "../foundation/usage-error.ts";
import type { Launch } from "./launch.ts";

const start = z.strictObject({
  command: z
    .array(z.string().min(1))
    .min(1)
    .describe("Program and arguments; no shell. {config} {port} {controlPort} {stateDir} {clock} are filled in."),
  cwd: z.string().default(".").describe("Working folder, relative to the target file."),
  env: z
    .record(z.string(), z.string())
    .default({})
    .describe("Environment beside the kit's own; the same fields are filled in."),
  readyTimeoutMs: z.int().min(1).max(600_000).default(60_000).describe("Longest wait for the first answer, ms."),
  stopTimeoutMs: z.int().min(0).max(60_000).default(5000).describe("Time between SIGTERM and SIGKILL, ms."),
});

const secretPlace = z.union([
  z.strictObject({ file: z.string().min(1).describe("A file per secret: {id} and {stateDir} are filled in.") }),
  z.strictObject({ json: z.string().min(1).describe("One JSON file of id and value: {stateDir} is filled in.") }),
]);

const ORIGIN =
  "expected http://HOST:PORT, such as http://127.0.0.1:8080: no https, and no path, as routes are configured with their whole path";

export const targetSchema = z
  .strictObject({
    $schema: z.string().optional(),
    name: z.string().min(1).describe("What the report calls the target."),
    product: z
      .string()
      .regex(/^[a-z0-9-]+$/, "letters a-z, digits and hyphens")
      .default("service")
      .describe("The product's name in x-<product>-webhook-secret."),
    profile: z.string().min(1).default("spec").describe("A shipped profile's name, or a path to one of your own."),
    start: start.optional().describe("How the kit starts the target; or else baseUrl."),
    baseUrl: z
      .url({ protocol: /^http$/, error: ORIGIN, abort: true })
      .refine(isOrigin, ORIGIN)
      .optional()
      .describe("A target that already runs with the standard configuration."),
    config: z
      .strictObject({
        entryId: z.string().min(1).default("webhooks").describe("The plugin's key under plugins.entries."),
        sessionKey: z.string().includes("{name}").default("{name}").describe("Pattern of a session key."),
        merge: z
          .record(z.string(), z.unknown())
          .default({})
          .describe("What the gateway needs in its configuration beside the plugin."),
        dir: z
          .string()
          .default(".")
          .describe("With baseUrl: the folder that `config --out` wrote, relative to the target file."),
      })
      .default({ entryId: "webhooks", sessionKey: "{name}", merge: {}, dir: "." }),
    control: z
      .string()
      .regex(/^http:\/\//, "an http:// URL")
      .optional()
      .describe("The control port's URL; {controlPort} is filled in."),
    secretSources: z
      .strictObject({ file: secretPlace.optional(), exec: secretPlace.optional(), store: secretPlace.optional() })
      .default({})
      .describe("SecretRef sources besides env that the gateway has, and where the kit puts their values."),
    clientAddresses: z
      .literal("translated")
      .optional()
      .describe("Something in between (docker -p, a port forward, a proxy) sends all requests from one address."),
    requestTimeoutMs: z.int().min(100).max(120_000).default(20_000).describe("Longest wait for one answer, ms."),
    notCovered: z
      .record(z.string(), z.string().min(1))
      .default({})
      .describe("Clause id and the reason why it cannot be covered."),
  })
  .refine((target) => (target.start === undefined) !== (target.baseUrl === undefined), {
    message: 'give one of "start" (a command that the kit runs) and "baseUrl" (a target that already runs)',
  })
  .refine(({ secretSources }) => isOneKind(Object.values(secretSources)), {
    path: ["secretSources"],
    message: "a file that holds one secret cannot be the file that holds several as JSON",
  })
  .refine(({ baseUrl, control }) => baseUrl === undefined || !/\{(port|controlPort)\}/.test(control ?? ""), {
    path: ["control"],
    message: "{port} and {controlPort} are filled in only with start; with baseUrl write the port itself",
  })
  .refine(({ start, control }) => control !== undefined || !wordsOf(start).includes("{clock}"), {
    path: ["start"],
    message: "{clock} is real or driven, and a driven clock needs a control port that advances it: add control",
  })
  // JSON Schema cannot see the checks above.
  .meta({ oneOf: [{ required: ["start"] }, { required: ["baseUrl"] }] });

/** No path is that of one secret for one source, and of several for another. */
function isOneKind(places: readonly (object | undefined)[]): boolean {
  const countOf = (what: (place?: object) => unknown) => new Set(places.map((place) => what(place))).size;
  return countOf((place = {}) => Object.values(place)[0]) === countOf((place) => JSON.stringify(place));
}

function isOrigin(url: string): boolean {
  const { origin, href } = new URL(url);
  return href === `${origin}/`;
}

/** A checked target file and the folder that it is in. */
export type Target = z.infer<typeof targetSchema> & {
  readonly folder: string;
  /** Code that brings the target up, in place of `start` and `baseUrl`; a library's user gives it, a file cannot. */
  readonly launch?: Launch;
  /** A debugger may hold its process. */
  readonly isInspected?: true;
};

/** Everything in a start command that may be filled in, as one text. */
export function wordsOf(start: { command: readonly string[]; env: Record<string, string> } | undefined): string {
  return start === undefined ? "" : [...start.command, ...Object.values(start.env)].join(" ");
}

/** Its start command takes the clock, so the kit can start it with either. */
export function takesClock({ start }: Target): boolean {
  return wordsOf(start).includes("{clock}");
}

/** The kit itself brings the target up, so it can do it again with another configuration. */
export function canRestart(target: Target): boolean {
  return target.start !== undefined || target.launch !== undefined;
}

/** Reads a target file (.json, or a .js, .mjs or .ts module's default export). Throws `UsageError`. */
export async function readTarget(file: string): Promise<Target> {
  const path = resolve(file);
  return checkTarget(await load(file, path), dirname(path), file);
}

/** Checks a target value. `origin` names it in errors. Throws `UsageError` with every fault at once. */
export function checkTarget(value: unknown, folder: string, origin: string): Target {
  const target = checkedBy(targetSchema, asJson(value, origin), `${origin} is not a target file`);
  const unknown = Object.keys(target.notCovered).filter((id) => !(clauseIds as readonly string[]).includes(id));
  if (unknown.length === 0) return { ...target, folder };
  throw new UsageError(`${origin}: notCovered names clauses that do not exist: ${safeLine(unknown.join(", "))}`);
}

/** A module may hold what JSON cannot: cycles, BigInt, a getter that throws. Throws `UsageError`. */
function asJson(value: unknown, origin: string): unknown {
  try {
    return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
  } catch (error) {
    throw new UsageError(`${origin} cannot be used as JSON: ${safeLine(firstLineOf(error))}`);
  }
}

/** How long a module may take to load, ms. */
const LOAD_MS = 10_000;

/** A module's default export. Throws `UsageError` for one that is never loaded. */
async function loaded(file: string, path: string): Promise<unknown> {
  const why = `${file} is never loaded: a top-level await in it does not settle within ${LOAD_MS / 1000} s`;
  const ending = new AbortController();
  const giveUp = () => ending.abort(new UsageError(why));
  // Unreferenced: where nothing else goes on, `beforeExit` tells at once.
  const timer = setTimeout(giveUp, LOAD_MS).unref();
  process.once("beforeExit", giveUp);
  try {
    const loading = import(pathToFileURL(path).href) as Promise<{ default?: unknown }>;
    return (await untilAborted(ending.signal, loading, () => {})).default;
  } finally {
    clearTimeout(timer);
    process.off("beforeExit", giveUp);
  }
}

async function load(file: string, path: string): Promise<unknown> {
  if (/\.[cm]?[jt]s$/.test(path)) {
    try {
      return await loaded(file, path);
    } catch (error) {
      if (error instanceof UsageError) throw error;
      // Node strips types by itself from 22.18 on.
      if ((error as NodeJS.ErrnoException).code === "ERR_UNKNOWN_FILE_EXTENSION") {
        throw new UsageError(
          `${file} is TypeScript, which Node ${process.versions.node} does not load: ` +
            "use Node 22.18 or later, or a .json, .js or .mjs file",
        );
      }
      throw new UsageError(`${file} could not be loaded as a module: ${firstLineOf(error)}`);
    }
  }
  return readJson(path, file);
}

/** Fills the `{name}` fields of a target file, such as `{port}`, in every string of a value. */
export function fillFields<T>(value: T, fields: Record<string, string>): T {
  if (typeof value === "string") return fillText(value, fields) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => fillFields(item, fields)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, fillFields(item as unknown, fields)]),
  ) as T;
}

/** Fills the fields of one string; unknown ones stay. */
export function fillText(text: string, fields: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(fields, name) ? (fields[name] ?? whole) : whole,
  );
}
