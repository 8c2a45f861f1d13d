/** Section 1: the route configuration gone wrong. */
import { alsoAuthenticates, both, withEntries, withFlows, withReading, withRoutes } from "../../changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

/** What the gateway reads where a plugin entry says `enabled: false`. */
const enabledAs = (enabled: true | "never"): Change => ({
  document: (document) => {
    const { entries } = document["plugins"] as { entries: Record<string, { enabled?: unknown }> };
    for (const entry of Object.values(entries)) if (entry.enabled === false) entry.enabled = enabled;
    return document;
  },
});

export const configuration: readonly Subject[] = subjectsOf<Subject>({
  "config-enabled-unknown": {
    bug: "A route that says `enabled: true` is left out.",
    kills: ["CONFIG-ENABLED-EXPLICITLY"],
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
    change: withEntries((entry) => (entry["controllerId"] === undefined ? entry : undefined)),
  },
  "config-default-path-underscores": {
    bug: "In a default path the hyphens of the route id become underscores.",
    kills: ["CONFIG-PATH-DEFAULT"],
    change: withRoutes((route) => {
      const path = route.path.startsWith("/plugins/") ? route.path.replaceAll("-", "_") : route.path;
      return { ...route, path };
    }),
  },
  "config-path-added": {
    bug: "A route with a path of its own is served at its default path as well.",
    kills: ["CONFIG-PATH-CUSTOM"],
    change: withRoutes((route) =>
      route.path.startsWith("/hooks/conformance")
        ? [route, { ...route, path: `/plugins/webhooks/${route.id}` }]
        : route,
    ),
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
    change: withReading((read, _entries, config) => {
      const routes = read(config);
      const entry = { sessionKey: "default", secret: "change-me" };
      return routes.length > 0 ? routes : read({ routes: { default: entry } });
    }),
  },
  "config-entry-enabled-ignored": {
    bug: "The plugin entry's own `enabled: false` is ignored.",
    kills: ["CONFIG-ENTRY-DISABLED"],
    change: enabledAs(true),
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
  "config-exits-unready": {
    bug: "With the plugin entry disabled the gateway ends instead of going on.",
    kills: ["CONFIG-ENTRY-DISABLED"],
    change: enabledAs("never"),
  },
  "create-controller-of-route": {
    bug: "The route's controllerId wins over the one that the request sends.",
    kills: ["CONFIG-CONTROLLER-OVERRIDDEN"],
    change: withFlows((flows) => ({
      tryCreateManaged: (input) => {
        const own = input.controllerId === "conformance/overriding" ? "webhooks/route" : input.controllerId;
        return flows.tryCreateManaged({ ...input, controllerId: own });
      },
    })),
  },
});
