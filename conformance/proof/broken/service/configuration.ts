/** Section 1: the route configuration gone wrong. */
import { withEntries, withFlows, withReading, withRoutes } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

/** What the gateway reads where a plugin entry says `enabled: false`. */
const enabledAs = (enabled: true | "never"): Change => ({
  document: (document) => {
    const { entries } = document["plugins"] as { entries: Record<string, { enabled?: unknown }> };
    for (const entry of Object.values(entries)) if (entry.enabled === false) entry.enabled = enabled;
    return document;
  },
});

export const configuration: readonly Subject[] = [
  ...failing("CONFIG-ENABLED-EXPLICITLY", {
    "A route that says `enabled: true` is left out": withEntries((entry) =>
      entry["enabled"] === true ? undefined : entry,
    ),
  }),
  ...failing("CONFIG-DESCRIPTION-INERT", {
    "A description with the words `enabled: false` disables its route": withEntries((entry) =>
      String(entry["description"]).includes("enabled: false") ? undefined : entry,
    ),
  }),
  ...failing("CONFIG-SPECIAL-CONTROLLER-SERVED", {
    "A route with a controllerId of its own is left out": withEntries((entry) =>
      entry["controllerId"] === undefined ? entry : undefined,
    ),
  }),
  ...failing("CONFIG-PATH-DEFAULT", {
    "In a default path the hyphens of the route id become underscores": withRoutes((route) => {
      const path = route.path.startsWith("/plugins/") ? route.path.replaceAll("-", "_") : route.path;
      return { ...route, path };
    }),
  }),
  ...failing("CONFIG-PATH-CUSTOM", {
    "A route with a path of its own is served at its default path as well": withRoutes((route) =>
      route.path.startsWith("/hooks/conformance")
        ? [route, { ...route, path: `/plugins/webhooks/${route.id}` }]
        : route,
    ),
    "A route's own path is ignored": withEntries(({ path, ...entry }) =>
      path === "/hooks/conformance" ? entry : { ...entry, ...(path ? { path } : {}) },
    ),
  }),
  ...failing("CONFIG-DISABLED", {
    "A route with `enabled: false` is served": withEntries((entry) => ({ ...entry, enabled: true })),
  }),
  ...failing("CONFIG-CONTROLLER-DEFAULT", {
    "The default controllerId is the route id alone": withRoutes((route) => ({
      ...route,
      controllerId: route.controllerId.replace(/^webhooks\//, ""),
    })),
  }),
  ...failing("CONFIG-CONTROLLER-CUSTOM", {
    "A route's own controllerId is ignored": withRoutes((route) => ({
      ...route,
      controllerId: `webhooks/${route.id}`,
    })),
  }),
  ...failing("CONFIG-NO-ROUTES", {
    "Without routes a route called default is served": withReading((read, _entries, config) => {
      const routes = read(config);
      const entry = { sessionKey: "default", secret: "change-me" };
      return routes.length > 0 ? routes : read({ routes: { default: entry } });
    }),
  }),
  ...failing("CONFIG-ENTRY-DISABLED", {
    "The plugin entry's own `enabled: false` is ignored": enabledAs(true),
    "With the plugin entry disabled the gateway ends instead of going on": enabledAs("never"),
  }),
  ...failing("CONFIG-NO-SESSION-KEY", {
    "A route without sessionKey is bound to the main session": withEntries((entry) => ({
      sessionKey: "main",
      ...entry,
    })),
  }),
  ...failing("CONFIG-CONTROLLER-OVERRIDDEN", {
    "The route's controllerId wins over the one that the request sends": withFlows((flows) => ({
      tryCreateManaged: (input) => {
        const own = input.controllerId === "conformance/overriding" ? "webhooks/route" : input.controllerId;
        return flows.tryCreateManaged({ ...input, controllerId: own });
      },
    })),
  }),
];
