/** From the standard routes to what a gateway loads: document, environment, secret files, and the routes' keys. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { randomBytes } from "node:crypto";
import type { Target } from "./target-file.ts";
import { pathOf, type Likeness, type StandardRoute } from "./standard-routes.ts";
import { variants, type RouteEntry, type Variant } from "./variants.ts";
import type { Secret } from "../http/redact.ts";
import type { Configuration, Route } from "./configured.ts";

/** Every value that must not appear in an answer, and every secret that must not appear in a report. */
export interface Keyring {
  /** What makes this run's session keys its own. */
  readonly run: string;
  secretOf(route: StandardRoute): string;
  sessionKeyOf(session: string, likeness?: Likeness): string;
}

/** Long enough that a comparison which stops after 64 or 72 characters shows. */
const SECRET_BYTES = 48;

const freshSecret = ({ allCharacters }: StandardRoute): string => {
  const bytes = randomBytes(SECRET_BYTES);
  // Of 48 bytes base64 has no padding, which may only stand at the end.
  return allCharacters === true ? `whsec-._~+/${bytes.toString("base64")}==` : `whsec-${bytes.toString("hex")}`;
};

const alikeTo: Readonly<Record<Likeness, (name: string) => string>> = {
  longer: (name) => `${name}-longer`,
  capitals: (name) => name.toUpperCase(),
  // Long: whoever keeps 64 characters of a key has one session for both.
  "part-one": (name) => `${name}:${"part-".repeat(10)}one`,
  "part-two": (name) => `${name}:${"part-".repeat(10)}two`,
};

interface KnownKeys {
  readonly run: string;
  secretOf(route: StandardRoute): string | undefined;
}

/**
 * Secrets and session keys for one run, fresh but for `known` ones. Both are canaries, so neither may be a word that
 * occurs elsewhere. `pattern`: the target file's `config.sessionKey`.
 */
export function freshKeyring(pattern: string, known?: KnownKeys): Keyring {
  const run = known?.run ?? randomBytes(4).toString("hex");
  const secrets = new Map<string, string>();
  return {
    run,
    secretOf(route) {
      let secret = secrets.get(route.id);
      if (secret === undefined) {
        secret = known?.secretOf(route) ?? freshSecret(route);
        secrets.set(route.id, secret);
      }
      return secret;
    },
    sessionKeyOf(session, likeness) {
      const name = `session-${session}-${run}`;
      return pattern.replaceAll("{name}", likeness === undefined ? name : alikeTo[likeness](name));
    },
  };
}

/** Every secret of a run with the variable that stands in its place in anything printed. */
export function secretsOf(keyring: Keyring): Secret[] {
  const routes = Object.values(variants).flatMap((variant: Variant) => variant.routes);
  return routes.map((route) => ({ value: keyring.secretOf(route), variable: variableOf(route) }));
}

/** The variable of a route's secret: `WEBHOOKS_SECRET_LANE_01`. */
export function variableOf(route: StandardRoute): string {
  return `WEBHOOKS_SECRET_${route.id.toUpperCase().replaceAll("-", "_")}`;
}

/** Builds one variant's configuration for a target; `stateDir` fills the places that the target file names. */
export function buildConfiguration(
  target: Target,
  variant: Variant,
  keyring: Keyring,
  stateDir: string,
): Configuration {
  const routes = variant.routes.filter((route) => hasSource(target, route));
  const environment: Record<string, string> = {};
  const absent: string[] = [];
  const files = new Map<string, string>();
  let entries: Record<string, RouteEntry> = {};
  for (const route of routes) {
    entries[route.id] = entryOf(route, keyring);
    const isCold = route.secret === "cold" && variant.secretResolved !== true;
    if (isCold) absent.push(variableOf(route));
    else if (route.secret === "env" || route.secret === "cold")
      environment[variableOf(route)] = route.holds ?? keyring.secretOf(route);
    else if (route.secret !== "inline" && route.missing !== true)
      addSecretFile(target, route, keyring, stateDir, files);
  }
  if (variant.change !== undefined) entries = variant.change(entries);
  const plugin = { enabled: variant.entryEnabled, config: { routes: entries } };
  const document = merge(
    { plugins: { entries: { [target.config.entryId]: plugin } } },
    fillIn(target.config.merge, { stateDir }),
  );
  return {
    document,
    environment,
    absent,
    files,
    routes: new Map(routes.map((route) => [route.id, routeOf(route, keyring)])),
  };
}

/** Writes the files that hold secrets; new ones are readable by the owner only. Folders are made as needed. `wx`: throws where one is there. */
export async function writeSecretFiles(files: ReadonlyMap<string, string>, flag: "w" | "wx" = "w"): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { mode: 0o600, flag });
  }
}

/** Where a route's secret of source file, exec or store is kept for this target, or undefined. */
export function secretPlace(target: Target, route: StandardRoute, stateDir: string): string | undefined {
  const place = sourceOf(target, route);
  if (place === undefined) return undefined;
  return fill("file" in place ? place.file : place.json, { stateDir, id: route.id });
}

function entryOf(route: StandardRoute, keyring: Keyring): RouteEntry {
  const { enabled, path, controllerId, description } = route;
  const optional = { enabled, path, controllerId, description };
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined));
  return { ...given, sessionKey: sessionKeyOf(route, keyring), secret: secretEntry(route, keyring) };
}

const sessionKeyOf = ({ session, likeness }: StandardRoute, keyring: Keyring): string =>
  keyring.sessionKeyOf(session, likeness);

function secretEntry(route: StandardRoute, keyring: Keyring): unknown {
  if (route.secret === "inline") return route.holds ?? keyring.secretOf(route);
  const source = route.secret === "cold" ? "env" : route.secret;
  return { source, provider: "default", id: source === "env" ? variableOf(route) : route.id };
}

function routeOf(route: StandardRoute, keyring: Keyring): Route {
  return {
    id: route.id,
    path: pathOf(route),
    sessionKey: sessionKeyOf(route, keyring),
    secret: keyring.secretOf(route),
    variable: variableOf(route),
  };
}

function sourceOf(target: Target, route: StandardRoute) {
  const { secret } = route;
  return secret === "file" || secret === "exec" || secret === "store" ? target.secretSources[secret] : undefined;
}

function hasSource(target: Target, route: StandardRoute): boolean {
  return ["inline", "env", "cold"].includes(route.secret) || sourceOf(target, route) !== undefined;
}

function addSecretFile(
  target: Target,
  route: StandardRoute,
  keyring: Keyring,
  stateDir: string,
  files: Map<string, string>,
): void {
  const place = sourceOf(target, route);
  const path = secretPlace(target, route, stateDir);
  if (place === undefined || path === undefined) return;
  if ("file" in place) return void files.set(path, keyring.secretOf(route));
  const known = JSON.parse(files.get(path) ?? "{}") as Record<string, string>;
  files.set(path, JSON.stringify({ ...known, [route.id]: keyring.secretOf(route) }));
}

/** Fills `{name}` fields in every string of a value. */
export function fillIn<T>(value: T, fields: Record<string, string>): T {
  if (typeof value === "string") return fill(value, fields) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => fillIn(item, fields)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIn(item as unknown, fields)])) as T;
}

/** Fills the `{name}` fields of one string; unknown ones stay. */
export function fill(text: string, fields: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => fields[name] ?? whole);
}

/** A deep merge of plain objects; in a clash the second wins. */
function merge(first: Record<string, unknown>, second: Record<string, unknown>): Record<string, unknown> {
  const merged = { ...first };
  for (const [key, value] of Object.entries(second)) {
    const known = merged[key];
    merged[key] = isPlain(known) && isPlain(value) ? merge(known, value) : value;
  }
  return merged;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
