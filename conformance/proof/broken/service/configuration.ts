/** Section 1: the route configuration, its ids and its paths gone wrong, in fields one by one and in fields that meet. */
import type { Route } from "../../../../plugin/config.ts";
import type { HttpRoute } from "../../../../plugin/ports.ts";
import { readAlone } from "./bad-configuration.ts";
import {
  together,
  withCreation,
  withEntries,
  withReading,
  withRoutes,
  type RouteEntry,
  perStart,
  withRouteId,
  withHandler,
} from "../../changes.ts";
import { letsIn, letsWarmIn } from "../../lets-in.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

/** What the gateway reads where a plugin entry says `enabled: false`. */
const enabledAs = (enabled: true | "never"): Change => ({
  document: (document) => {
    const { entries } = document["plugins"] as { entries: Record<string, { enabled?: unknown }> };
    for (const entry of Object.values(entries)) if (entry.enabled === false) entry.enabled = enabled;
    return document;
  },
});

const lastSegment = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const hasOwnController = ({ id, controllerId }: Route): boolean => controllerId !== `webhooks/${id}`;
const isOff = (entry: RouteEntry): boolean => entry["enabled"] === false;

/** Routes as they are read, each with one field changed. */
const withField = <Name extends keyof Route>(name: Name, change: (value: Route[Name], route: Route) => Route[Name]) =>
  withRoutes((route) => ({ ...route, [name]: change(route[name], route) }));

const withSecret = (change: (secret: string) => string): Change =>
  withField("secret", (secret) => (typeof secret === "string" ? change(secret) : secret));

/** Ids that cannot stand in a path are encoded in it; those with a blank are left out. */
export const encodesIds: Change = readAlone((entry, id) =>
  id.includes(" ") ? undefined : { ...entry, path: `/plugins/webhooks/${encodeURI(id)}` },
);

const asciiOf = (text: string, other = ""): string => text.replaceAll(/[^ -~]/g, other);

export const configuration: readonly Subject[] = failing({
  "CONFIG-ROUTE-ID-SERVED: An id that looks like a number is shown as one": withRouteId((id) =>
    id === "1e3" ? "1000" : id,
  ),
  "CONFIG-TEXT-IDS: routeId is the id as it stands in the path": together(encodesIds, withRouteId(encodeURI)),
  "CONFIG-TEXT-IDS: The default controllerId is made of the id as it stands in the path": together(
    encodesIds,
    withField("controllerId", encodeURI),
  ),
  "CONFIG-PATH-DUPLICATE: Where a path is the default one of another route, whichever secret fits decides": together(
    readAlone(() => undefined),
    letsIn(({ presented, route, routes }) =>
      routes.some(({ path, secret }) => /^.plugins/.test(path) && path === route.path && secret === presented),
    ),
  ),
  "CONFIG-TEXT-IDS: routeId is looked up in an object, in which `__proto__` is something else": together(
    encodesIds,
    withRouteId((id) => (id === "__proto__" ? {} : id)),
  ),
  "CONFIG-TEXTS: The encoded signs of a configured path are decoded": withField("path", decodeURIComponent),
  "CONFIG-TEXTS: Of routes whose ids differ by case alone the first is kept": perStart(() => {
    const kept = new Set<string>();
    return withEntries((entry, id) => {
      const isKnown = kept.has(id.toLowerCase());
      kept.add(id.toLowerCase());
      return isKnown ? undefined : entry;
    });
  }),
  "CONFIG-TEXTS: A plus in a configured path is taken for a blank": withField("path", (path) =>
    path.replaceAll("+", " "),
  ),
  "CONFIG-TEXTS: Session keys are decoded as parts of a form": withField("sessionKey", (key) =>
    decodeURIComponent(key.replaceAll("+", " ")),
  ),
  "CONFIG-TEXTS: Letters with accents in session keys are normalised": withField("sessionKey", (key) =>
    key.normalize(),
  ),
  "CONFIG-TEXTS: A controllerId with signs that a URL does not have is encoded": withField("controllerId", encodeURI),
  "CONFIG-TEXTS: A controllerId that every object has is taken for a default": withField(
    "controllerId",
    (own, { id }) => (own in {} ? `webhooks/${id}` : own),
  ),
  "CONFIG-TEXTS: A secret is decoded as a part of a URL": withSecret(decodeURIComponent),
  "CONFIG-TEXTS: Of a secret with a comma the first part counts": withSecret((secret) => secret.replace(/,.*/, "")),
  "CONFIG-TEXTS: Of each letter of a secret one byte is compared": withSecret((secret) =>
    Buffer.from(secret, "latin1").toString("latin1"),
  ),
  "CONFIG-TEXTS: Letters of a secret beyond ASCII are kept as ?": withSecret((secret) => asciiOf(secret, "?")),
  "CONFIG-TEXTS: Letters of a secret beyond ASCII are not compared": letsWarmIn(
    ({ presented, secret }) => asciiOf(presented) === asciiOf(secret),
  ),
  "SESSION-EVERY-ROUTE: A description with the words `enabled: false` disables its route": withEntries((entry) =>
    String(entry["description"]).includes("enabled: false") ? undefined : entry,
  ),
  "REQUEST-RIGHT: A route with a controllerId of its own is left out": withEntries((entry) =>
    entry["controllerId"] === undefined ? entry : undefined,
  ),
  "REQUEST-RIGHT: In a default path the hyphens of the route id become underscores": withField("path", (path) =>
    path.startsWith("/plugins/") ? path.replaceAll("-", "_") : path,
  ),
  "CONFIG-PATH-CUSTOM: A route with a path of its own is served at its default path as well": withRoutes((route) =>
    route.path.startsWith("/hooks/conformance") ? [route, { ...route, path: `/plugins/webhooks/${route.id}` }] : route,
  ),
  "CONFIG-PATH-CUSTOM: A route's own path is ignored": withEntries(({ path, ...entry }) =>
    path === "/hooks/conformance" ? entry : { ...entry, ...(path ? { path } : {}) },
  ),
  "SECRET-COLD-CLOSED: A route with `enabled: false` is served": withEntries((entry) => ({
    ...entry,
    enabled: true,
  })),
  "CONFIG-CONTROLLER: The default controllerId is the route id alone": withField("controllerId", (own) =>
    own.replace(/^webhooks\//, ""),
  ),
  "CONFIG-CONTROLLER: A route's own controllerId is ignored": withField(
    "controllerId",
    (_own, { id }) => `webhooks/${id}`,
  ),
  "CONFIG-NO-ROUTES: Without routes a route called default is served": withReading((read, _entries, config) => {
    const routes = read(config);
    const entry = { sessionKey: "default", secret: "change-me" };
    return routes.length > 0 ? routes : read({ routes: { default: entry } });
  }),
  "CONFIG-NO-ROUTES: Without `routes` in its configuration the plugin is not loaded, and its gateway ends": withReading(
    (read, _entries, config) =>
      read({ routes: Object.fromEntries(Object.entries((config as { routes: object }).routes)) }),
  ),
  "CONFIG-ENTRY-DISABLED: The plugin entry's own `enabled: false` is ignored": enabledAs(true),
  "CONFIG-ENTRY-DISABLED: With the plugin entry disabled the gateway ends instead of going on": enabledAs("never"),
  "CONFIG-NO-SESSION-KEY: A route without sessionKey is bound to the main session": withEntries((entry) => ({
    sessionKey: "main",
    ...entry,
  })),
  "CONFIG-CONTROLLER-OVERRIDDEN: The route's controllerId wins over the one that the request sends": withCreation(
    (input) => ({
      ...input,
      controllerId: input.controllerId === "conformance/overriding" ? "webhooks/route" : input.controllerId,
    }),
  ),
  "CONFIG-FIELD-PAIRS: A route with a path of its own loses its controllerId": withField(
    "controllerId",
    (own, { id, path }) => (path.startsWith("/hooks/") ? `webhooks/${id}` : own),
  ),
  "CONFIG-FIELD-PAIRS: The last segment of a path is looked up among the routes' ids before the route of that path is asked":
    withRoutes((route, routes) => {
      const named = routes.find(({ id }) => id === lastSegment(route.path)) ?? route;
      return { ...named, path: route.path, canonicalPath: route.canonicalPath };
    }),
  "CONFIG-FIELD-PAIRS: Routes of one session whose controllers are all their own share that of the first": withRoutes(
    (route, routes) => {
      const first = routes.find((other) => hasOwnController(other) && other.sessionKey === route.sessionKey) ?? route;
      return hasOwnController(route) ? { ...route, controllerId: first.controllerId } : route;
    },
  ),
  "CONFIG-DISABLED-PATH: A disabled route is still served where it has a path and a controller of its own": withEntries(
    (entry) =>
      isOff(entry) && entry["path"] !== undefined && entry["controllerId"] !== undefined
        ? { ...entry, enabled: true }
        : entry,
  ),
  "CONFIG-DISABLED-TWIN: At the path that a disabled route shares with another the secrets of both let in": letsIn(
    ({ entries, route, presented }) =>
      Object.values(entries).some(
        (entry) => isOff(entry) && entry["path"] === route.path && entry["secret"] === presented,
      ),
  ),
  "REQUEST-RIGHT: routeId is the last part of the path": withRouteId((_id, { url = "" }) =>
    url.replace(/\?.*$/, "").split("/").at(-1),
  ),
  "REQUEST-RIGHT: Route ids are turned into lower case": withRouteId((id) => id.toLowerCase()),
  "CONFIG-ROUTE-ID-SERVED: A route whose id every object has as a property is taken for one that is registered already":
    withEntries((entry, id) => (id in {} ? undefined : entry)),
  "CONFIG-ROUTE-ID-SERVED: In a default path the id is encoded as a part of a query, with its colons and plus signs":
    withField("path", (path, { id }) => path.replace(id, encodeURIComponent(id))),
  "CONFIG-PATH-NESTED: A path serves everything below it: a route there that is configured later is never asked":
    perStart(() => {
      const handlers = new Map<string, HttpRoute["handler"]>();
      return withHandler((own, { path }) => {
        const [, above] = [...handlers].find(([other]) => path.startsWith(`${other}/`)) ?? [];
        handlers.set(path, above ?? own);
        return above ?? own;
      });
    }),
  "CONFIG-PATH-NESTED: A routeId of digits comes back as a number": withRouteId((id) =>
    /^\d+$/.test(id) ? Number(id) : id,
  ),
});
