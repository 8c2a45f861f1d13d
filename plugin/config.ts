import { z } from "zod";
import { canonicalPath } from "./paths.ts";

/** A reference to a secret. */
interface SecretRef {
  readonly source: "env" | "file" | "exec" | "store";
  readonly provider: string;
  readonly id: string;
}

/** The gateway resolves SecretRefs before `register`; one that reaches the plugin could not be resolved. */
export type Secret = string | SecretRef;

/** One enabled route, with its defaults. */
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

/** Whether the plugin's entry in the document has `enabled: false`. */
export function isDisabled(document: unknown, pluginId: string): boolean {
  let value = document;
  for (const key of ["plugins", "entries", pluginId]) value = isObject(value) ? value[key] : undefined;
  return isObject(value) && value["enabled"] === false;
}

function faultOf(where: string, issue: z.core.$ZodIssue): string {
  const unknown = issue.code === "unrecognized_keys" && issue.path.length === 0;
  const field = unknown ? issue.keys.join(", ") : issue.path[0];
  return `${where}${field === undefined ? "" : `.${String(field)}`}: ${issue.message}`;
}

/** The route if it is enabled, or the faults of its entry. */
function readRoute(id: string, entry: unknown): Route | undefined | string[] {
  const where = `routes[${JSON.stringify(id)}]`;
  if (id.trim() === "") return [`${where}: expected a route id that is not blank`];
  const parsed = entrySchema.safeParse(entry);
  if (!parsed.success) return parsed.error.issues.map((issue) => faultOf(where, issue));
  const {
    enabled,
    path = `/plugins/webhooks/${id}`,
    sessionKey,
    secret,
    controllerId = `webhooks/${id}`,
  } = parsed.data;
  const canonical = canonicalPath(path);
  // The schema checked a configured path; a default one can be unusable because of the route id in it.
  if (canonical === undefined) return [`${where}.path: ${usablePath}`];
  return enabled ? { id, path, canonicalPath: canonical, sessionKey, secret, controllerId } : undefined;
}

function duplicates(routes: readonly Route[]): string[] {
  const owners = new Map<string, string>();
  const faults: string[] = [];
  for (const { id, canonicalPath: canonical } of routes) {
    const owner = owners.get(canonical);
    if (owner === undefined) owners.set(canonical, id);
    else faults.push(`routes[${JSON.stringify(id)}].path: route ${JSON.stringify(owner)} has the same one`);
  }
  return faults;
}

/**
 * The enabled routes of the plugin's configuration. Throws one error that lists every fault by route and field, with what
 * is expected; configured values are never quoted, since one may be a secret.
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
        const read = readRoute(id, entry);
        if (Array.isArray(read)) faults.push(...read);
        else if (read) routes.push(read);
      }
    }
  }
  faults.push(...duplicates(routes));
  if (faults.length > 0) throw new Error(["invalid webhooks configuration:", ...faults].join("\n- "));
  return routes;
}
