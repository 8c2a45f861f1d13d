/** Section 1: the route configuration gone wrong. */
import type { Route } from "../../../../plugin/config.ts";
import { alsoAuthenticates, both, withAnswer, withEntries, withEnvelope, withRoutes } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

type Entry = Record<string, unknown>;

/** Every route is read by itself; `mend` gives what is read in place of one that is wrong, or undefined. */
export const readAlone = (mend: (entry: Entry, id: string) => Entry | undefined): Change => ({
  parts: (parts) => ({
    ...parts,
    readRoutes: (config) => {
      const { routes = {} } = config as { routes?: Record<string, Entry> };
      return Object.entries(routes).flatMap(([id, entry]) => {
        try {
          return parts.readRoutes({ routes: { [id]: entry } });
        } catch {
          const mended = mend(entry, id);
          return mended === undefined ? [] : parts.readRoutes({ routes: { [id]: mended } });
        }
      });
    },
  }),
});

/** Secrets of routes whose paths are the same in some form: whichever fits decides. Others are left out. */
const sharedSpellings: Change = both(
  readAlone(() => undefined),
  {
    parts: (parts) => {
      const read: Route[] = [];
      return {
        ...parts,
        readRoutes: (config) => {
          const routes = parts.readRoutes(config);
          read.push(...routes);
          return routes;
        },
        stages: parts.stages.map((stage) =>
          stage.name !== "authentication"
            ? stage
            : {
                name: stage.name,
                run: (exchange) => {
                  const { product, route } = exchange.context;
                  const presented = parts.presentedSecret(exchange.request.headers, product);
                  const alike = read.filter(({ canonicalPath }) => canonicalPath === route.canonicalPath);
                  return alike.some(({ secret }) => parts.createSecretCheck(secret)(presented))
                    ? undefined
                    : stage.run(exchange);
                },
              },
        ),
      };
    },
  },
);

const routesOf = (document: unknown): Record<string, Entry> =>
  (document as { plugins: { entries: { webhooks: { config: { routes: Record<string, Entry> } } } } }).plugins.entries
    .webhooks.config.routes;

const openToAll = alsoAuthenticates((_request, secret) => secret === "open to all");

/** Every route is read by itself, so nobody sees that two have one path; whichever secret fits decides. */
const sharedPaths: Change = {
  parts: (parts) => {
    const byPath = new Map<string, Route[]>();
    return {
      ...parts,
      readRoutes: (config) => {
        const { routes = {} } = config as { routes?: Record<string, unknown> };
        const read = Object.entries(routes).flatMap(([id, entry]) => parts.readRoutes({ routes: { [id]: entry } }));
        for (const route of read) byPath.set(route.path, [...(byPath.get(route.path) ?? []), route]);
        return read;
      },
      stages: parts.stages.map((stage) =>
        stage.name !== "authentication"
          ? stage
          : {
              name: stage.name,
              run: (exchange) => {
                const presented = parts.presentedSecret(exchange.request.headers, exchange.context.product);
                const fits = ({ secret }: Route) => parts.createSecretCheck(secret)(presented);
                return byPath.get(exchange.context.route.path)?.some(fits) ? undefined : stage.run(exchange);
              },
            },
      ),
    };
  },
};

export const configuration: readonly Subject[] = subjectsOf<Subject>({
  "config-enabled-unknown": {
    bug: "A route that says `enabled: true` is left out.",
    kills: ["CONFIG-ENABLED-EXPLICITLY"],
    alsoFails: "any",
    change: withEntries((entry) => (entry["enabled"] === true ? undefined : entry)),
  },
  "config-description-read": {
    bug: "A description with the words `enabled: false` disables its route.",
    kills: ["CONFIG-DESCRIPTION-INERT"],
    change: withEntries((entry) => (String(entry["description"]).includes("enabled: false") ? undefined : entry)),
  },
  "config-controller-refused": {
    bug: "A route with a controllerId of its own is left out.",
    kills: ["CONFIG-SPECIAL-CONTROLLER-SERVED"],
    alsoFails: ["CONFIG-CONTROLLER-CUSTOM"],
    change: withEntries((entry) => (entry["controllerId"] === undefined ? entry : undefined)),
  },
  "config-default-path-underscores": {
    bug: "In a default path the hyphens of the route id become underscores.",
    kills: ["CONFIG-PATH-DEFAULT"],
    alsoFails: "any",
    change: withRoutes((route) => {
      const path = route.path.startsWith("/plugins/") ? route.path.replaceAll("-", "_") : route.path;
      return { ...route, path };
    }),
  },
  "config-path-added": {
    bug: "A route with a path of its own is served at its default path as well.",
    kills: ["CONFIG-PATH-CUSTOM"],
    change: {
      parts: (parts) => ({
        ...parts,
        readRoutes: (config) =>
          parts
            .readRoutes(config)
            .flatMap((route) =>
              route.path.startsWith("/hooks/conformance")
                ? [route, { ...route, path: `/plugins/webhooks/${route.id}` }]
                : [route],
            ),
      }),
    },
  },
  "config-path-ignored": {
    bug: "A route's own path is ignored.",
    kills: ["CONFIG-PATH-CUSTOM"],
    change: withEntries(({ path, ...entry }) =>
      path === "/hooks/conformance" ? entry : { ...entry, ...(path ? { path } : {}) },
    ),
  },
  "config-disabled-served": {
    bug: "A route with `enabled: false` is served.",
    kills: ["CONFIG-DISABLED"],
    change: withEntries((entry) => ({ ...entry, enabled: true })),
  },
  "config-controller-without-prefix": {
    bug: "The default controllerId is the route id alone.",
    kills: ["CONFIG-CONTROLLER-DEFAULT"],
    change: withRoutes((route) => ({ ...route, controllerId: route.controllerId.replace(/^webhooks\//, "") })),
  },
  "config-controller-ignored": {
    bug: "A route's own controllerId is ignored.",
    kills: ["CONFIG-CONTROLLER-CUSTOM"],
    change: withRoutes((route) => ({ ...route, controllerId: `webhooks/${route.id}` })),
  },
  "config-fallback-route": {
    bug: "Without routes a route called default is served.",
    kills: ["CONFIG-NO-ROUTES"],
    change: {
      parts: (parts) => ({
        ...parts,
        readRoutes: (config) => {
          const routes = parts.readRoutes(config);
          const entry = { sessionKey: "default", secret: "change-me" };
          return routes.length > 0 ? routes : parts.readRoutes({ routes: { default: entry } });
        },
      }),
    },
  },
  "config-entry-enabled-ignored": {
    bug: "The plugin entry's own `enabled: false` is ignored.",
    kills: ["CONFIG-ENTRY-DISABLED"],
    change: {
      document: (document) => {
        const { entries } = document["plugins"] as { entries: Record<string, { enabled?: boolean }> };
        for (const entry of Object.values(entries)) entry.enabled = true;
        return document;
      },
    },
  },
  "config-path-shared": {
    bug: "Two routes may have one path; whichever secret fits decides.",
    kills: ["CONFIG-PATH-DUPLICATE"],
    change: sharedPaths,
  },
  "config-session-defaulted": {
    bug: "A route without sessionKey is bound to the main session.",
    kills: ["CONFIG-NO-SESSION-KEY"],
    change: withEntries((entry) => ({ sessionKey: "main", ...entry })),
  },
  "config-secret-optional": {
    bug: "A route without a secret lets everybody in.",
    kills: ["CONFIG-NO-SECRET"],
    change: both(
      withEntries((entry) => ({ secret: "open to all", ...entry })),
      alsoAuthenticates((_request, secret) => secret === "open to all"),
    ),
  },
  "config-second-fault-mended": {
    bug: "Of several bad routes the first is left out; a later one is served with what it has.",
    kills: ["CONFIG-SEVERAL-BAD"],
    change: both(
      readAlone((entry) =>
        "sessionKey" in entry && !("secret" in entry) ? { ...entry, secret: "open to all" } : undefined,
      ),
      openToAll,
    ),
  },
  "config-spelling-shared": {
    bug: "Two routes whose paths differ only in spelling are taken for one, and whichever secret fits decides.",
    kills: ["CONFIG-PATH-SPELLED"],
    change: sharedSpellings,
  },
  "config-auth-none": {
    bug: "A route entry that says `auth: none` is served without asking for its secret.",
    kills: ["CONFIG-UNKNOWN-FIELDS"],
    change: both(
      readAlone(({ path, sessionKey, auth }) =>
        auth === "none" ? { ...(path !== undefined && { path }), sessionKey, secret: "open to all" } : undefined,
      ),
      openToAll,
    ),
  },
  "config-public": {
    bug: "A route entry that says `public: true` is served without asking for its secret; others with unknown fields are left out.",
    kills: ["CONFIG-UNKNOWN-FIELDS"],
    change: both(
      readAlone(({ public: open, ...rest }) => (open === true ? { ...rest, secret: "open to all" } : undefined)),
      openToAll,
    ),
  },
  "config-exits-unready": {
    bug: "With the plugin entry disabled the gateway ends instead of going on.",
    kills: ["CONFIG-ENTRY-DISABLED"],
    change: {
      document: (document) => {
        const { entries } = document["plugins"] as { entries: Record<string, { enabled?: unknown }> };
        for (const entry of Object.values(entries)) if (entry.enabled === false) entry.enabled = "never";
        return document;
      },
    },
  },
  "config-route-id-from-path": {
    bug: "routeId is the last part of the path.",
    kills: ["ENVELOPE-ROUTE-ID-CUSTOM-PATH"],
    change: withEnvelope((envelope, _status, { url = "" }) => ({
      ...envelope,
      routeId: url.replace(/\?.*$/, "").split("/").at(-1),
    })),
  },
  "config-route-id-lower-case": {
    bug: "Route ids are turned into lower case.",
    kills: ["ENVELOPE-ROUTE-ID-LETTERS"],
    change: withEnvelope((envelope) => ({ ...envelope, routeId: String(envelope["routeId"]).toLowerCase() })),
  },
  "config-route-id-inherited": {
    bug: "A route whose id every object has as a property is taken for one that is registered already.",
    kills: ["CONFIG-ROUTE-ID-SERVED"],
    change: withEntries((entry, id) => (id in {} ? undefined : entry)),
  },
  "config-description-realm": {
    bug: "A route's description is the realm of its challenge.",
    kills: ["CONFIG-DESCRIPTION-UNSEEN"],
    change: {
      parts: (parts, origin) => {
        const described = withAnswer((answer, _request, route) => {
          const description = routesOf(origin.document)[route]?.["description"];
          if (answer.code !== "unauthorized" || typeof description !== "string") return answer;
          return { ...answer, headers: { ...answer.headers, "WWW-Authenticate": `Bearer realm="${description}"` } };
        });
        return described.parts?.(parts, origin) ?? parts;
      },
    },
  },
});
