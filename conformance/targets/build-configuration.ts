/** Builds what a gateway loads from the standard routes: document, environment and secret files. */
import { mkdir, open, rm, rmdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Configuration, ConfiguredRoute } from "./configuration.ts";
import { variableOf, type Keyring } from "./keyring.ts";
import { pathOf, type StandardRoute } from "./standard-routes.ts";
import { fillText, fillFields, type Target } from "./target-file.ts";
import type { Variant } from "./variants.ts";

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
  for (const route of routes) {
    const isCold = route.secret === "cold" && variant.secretResolved !== true;
    if (isCold) absent.push(variableOf(route));
    else if (route.secret === "env" || route.secret === "cold")
      environment[variableOf(route)] = route.holds ?? keyring.secretOf(route);
    const path = route.missing === true ? undefined : secretPlace(target, route, stateDir);
    if (path !== undefined) files.set(path, fileWith(target, route, keyring.secretOf(route), files.get(path)));
  }
  // An id may be that of every object's prototype, which an assignment would set.
  const entries = Object.fromEntries(routes.map((route) => [route.id, entryOf(target, route, keyring)]));
  // As the plugin ships: nothing says that it has no routes.
  const config = routes.length === 0 ? {} : { routes: entries };
  const plugin = { enabled: variant.entryDisabled !== true, config };
  const document = merge(
    { plugins: { entries: { [target.config.entryId]: plugin } } },
    fillFields(target.config.merge, { stateDir }),
  );
  return {
    document,
    environment,
    controlToken: keyring.controlToken,
    absent,
    files,
    routes: new Map(routes.map((route) => [route.id, routeOf(route, keyring)])),
    served: new Set(servedIn(variant, routes)),
    marks: { sessionKey: keyring.run, secret: keyring.mark },
  };
}

/** A configuration that a target may refuse proves nothing about the routes that are left. */
function servedIn({ mayExit, entryDisabled, isReplaced }: Variant, routes: readonly StandardRoute[]): string[] {
  if (mayExit === true || entryDisabled === true || isReplaced === true) return [];
  return routes.filter(({ enabled }) => enabled !== false).map(({ id }) => id);
}

/**
 * Writes secret files and creates their folders, readable by their owner only. `wx` throws where there is a file or a
 * link, and leaves nothing behind when one of the files cannot be written.
 */
export async function writeSecretFiles(files: ReadonlyMap<string, string>, flag: "w" | "wx" = "w"): Promise<void> {
  const undo: (() => Promise<unknown>)[] = [];
  try {
    for (const [path, text] of files) {
      const folder = resolve(dirname(path));
      const first = await mkdir(folder, { recursive: true, mode: 0o700 });
      if (first !== undefined) undo.push(() => removeFolders(folder, resolve(first)));
      const file = await open(path, flag, 0o600);
      undo.push(() => rm(path));
      await file.writeFile(text).finally(() => file.close());
    }
  } catch (error) {
    if (flag === "wx") for (const step of undo.toReversed()) await step().catch(() => {});
    throw error;
  }
}

/** Removes a folder and those above it up to `first`; one that is not empty stays. */
async function removeFolders(folder: string, first: string): Promise<void> {
  await rmdir(folder);
  if (folder !== first) await removeFolders(dirname(folder), first);
}

/** Where a route's secret of source file, exec or store is kept for this target, or undefined. */
export function secretPlace(target: Target, route: StandardRoute, stateDir: string): string | undefined {
  const place = sourceOf(target, route);
  if (place === undefined) return undefined;
  const path = fillText("file" in place ? place.file : place.json, { stateDir, id: refIdOf(target, route) });
  return resolve(target.folder, path);
}

/** Where two sources of a target are kept in one place, an id names one secret there. */
function refIdOf({ secretSources }: Target, { id, refId = id }: StandardRoute): string {
  const places = Object.values(secretSources).map((place) => JSON.stringify(place));
  return new Set(places).size === places.length ? refId : id;
}

function entryOf(target: Target, route: StandardRoute, keyring: Keyring): object {
  const { enabled, path, controllerId, description, written } = route;
  const required = { sessionKey: sessionKeyOf(route, keyring), secret: secretEntry(target, route, keyring) };
  const fields = Object.entries({ enabled, path, controllerId, description, ...required, ...written });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

const sessionKeyOf = ({ session, likeness }: StandardRoute, keyring: Keyring): string =>
  keyring.sessionKeyOf(session, likeness);

function secretEntry(target: Target, route: StandardRoute, keyring: Keyring): unknown {
  if (route.secret === "inline") return route.holds ?? keyring.secretOf(route);
  const source = route.secret === "cold" ? "env" : route.secret;
  return { source, provider: "default", id: source === "env" ? variableOf(route) : refIdOf(target, route) };
}

function routeOf(route: StandardRoute, keyring: Keyring): ConfiguredRoute {
  return {
    id: route.id,
    path: pathOf(route),
    sessionKey: sessionKeyOf(route, keyring),
    controllerId: route.controllerId ?? `webhooks/${route.id}`,
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

/** What the route's secret file holds: the secret alone, or as JSON beside those that were there `before`. */
function fileWith(target: Target, route: StandardRoute, secret: string, before = "{}"): string {
  const place = sourceOf(target, route);
  if (place === undefined || "file" in place) return secret;
  return JSON.stringify({ ...(JSON.parse(before) as object), [refIdOf(target, route)]: secret });
}

/** A deep merge of plain objects; on a conflict the second wins. */
function merge(base: Record<string, unknown>, second: Record<string, unknown>): Record<string, unknown> {
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(second)) {
    const first = merged.get(key);
    merged.set(key, isPlain(first) && isPlain(value) ? merge(first, value) : value);
  }
  return Object.fromEntries(merged);
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
