import { z } from "zod";
import { canonicalPath } from "./paths.ts";

/** Where a gateway finds a secret. */
export interface SecretRef {
  readonly source: "env" | "file" | "exec" | "store";
  readonly provider: string;
  readonly id: string;
}

/** A SecretRef that reaches the plugin is one that the gateway could not resolve. */
export type Secret = string | SecretRef;

/** One enabled route, its defaults filled in. */
export interface Route {
  readonly id: string;
  readonly path: string;
  readonly canonicalPath: string;
  readonly sessionKey: string;
  readonly secret: Secret;
  /** Controller of the flows that `create_flow` creates, unless it names another. */
  readonly controllerId: string;
}

const text = (error: string) => z.string({ error }).trim().min(1, { error });
const words = "expected a string that is not blank";
const sources = ["env", "file", "exec", "store"] as const;
const secret = "expected a string that is not blank, or a SecretRef";

const usablePath =
  'expected a path of visible ASCII that starts with "/", without query, fragment or backslash, its percent-encoding valid';

const entrySchema = z.strictObject(
  {
    enabled: z.boolean({ error: "expected a boolean" }).default(true),
    path: text(words)
      .refine((path) => canonicalPath(path) !== undefined, { error: usablePath })
      .optional(),
    sessionKey: text(words),
    secret: z.union(
      [
        text(secret),
        z.strictObject({ source: z.enum(sources), provider: text(secret), id: text(secret) }, { error: secret }),
      ],
      { error: `${secret}: source (${sources.join(", ")}), provider and id, all strings` },
    ),
    controllerId: text(words).optional(),
    description: z.string({ error: "expected a string" }).optional(),
  },
  { error: (issue) => entryError(issue) },
);

const fields = "enabled, path, sessionKey, secret, controllerId, description";

function entryError(issue: { code?: string }): string {
  return issue.code === "unrecognized_keys" ? `unknown field; a route takes ${fields}` : "expected an object";
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether the document's own entry for the plugin says `enabled: false`. */
export function isDisabled(document: unknown, pluginId: string): boolean {
  let value = document;
  for (const key of ["plugins", "entries", pluginId]) value = isObject(value) ? value[key] : undefined;
  return isObject(value) && value["enabled"] === false;
}

interface Reading {
  route?: Route;
  faults: string[];
}

function faultOf(where: string, issue: z.core.$ZodIssue): string {
  const unknown = issue.code === "unrecognized_keys" && issue.path.length === 0;
  const field = unknown ? issue.keys.join(", ") : issue.path[0];
  return `${where}${field === undefined ? "" : `.${String(field)}`}: ${issue.message}`;
}

function readRoute(id: string, entry: unknown): Reading {
  const where = `routes[${JSON.stringify(id)}]`;
  if (id.trim() === "") return { faults: [`${where}: expected a route id that is not blank`] };
  const parsed = entrySchema.safeParse(entry);
  if (!parsed.success) return { faults: parsed.error.issues.map((issue) => faultOf(where, issue)) };
  const { enabled, path = `/plugins/webhooks/${id}`, sessionKey, secret } = parsed.data;
  const canonical = canonicalPath(path);
  // Only a default path can still be unusable, by the route id in it.
  if (canonical === undefined) return { faults: [`${where}.path: ${usablePath}`] };
  if (!enabled) return { faults: [] };
  const controllerId = parsed.data.controllerId ?? `webhooks/${id}`;
  return { route: { id, path, canonicalPath: canonical, sessionKey, secret, controllerId }, faults: [] };
}

function duplicates(routes: readonly Route[]): string[] {
  const owners = new Map<string, string>();
  const faults: string[] = [];
  for (const { id, canonicalPath: canonical } of routes) {
    const owner = owners.get(canonical);
    if (owner === undefined) owners.set(canonical, id);
    else faults.push(`routes[${JSON.stringify(id)}].path: expected one that route ${JSON.stringify(owner)} has not`);
  }
  return faults;
}

/**
 * The enabled routes of the plugin's configuration. Throws one error that lists every fault by route and field, with
 * what is expected and without any configured value.
 */
export function readRoutes(pluginConfig: unknown): Route[] {
  const faults: string[] = [];
  const routes: Route[] = [];
  const config = pluginConfig ?? {};
  if (!isObject(config)) faults.push("config: expected an object");
  else {
    for (const key of Object.keys(config)) {
      if (key !== "routes") faults.push(`config.${key}: unknown field; the configuration takes routes`);
    }
    const { routes: entries = {} } = config;
    if (!isObject(entries)) faults.push("routes: expected an object keyed by route id");
    else {
      for (const [id, entry] of Object.entries(entries)) {
        const reading = readRoute(id, entry);
        faults.push(...reading.faults);
        if (reading.route) routes.push(reading.route);
      }
    }
  }
  faults.push(...duplicates(routes));
  if (faults.length > 0) throw new Error(["invalid webhooks configuration:", ...faults].join("\n- "));
  return routes;
}
