/** Section 1: fields of a route that are right one by one, and go wrong together. */
import type { Route } from "../../../../plugin/config.ts";
import { alsoAuthenticates, both, perStart, withEntries, withReading, withRoutes } from "../../changes.ts";
import { subjectsOf, type Subject } from "../../subject.ts";

type Entry = Record<string, unknown>;
const lastSegment = (path: string): string => path.slice(path.lastIndexOf("/") + 1);
const hasOwnController = ({ id, controllerId }: Route): boolean => controllerId !== `webhooks/${id}`;
const isOff = (entry: Entry): boolean => entry["enabled"] === false;

/** A description that is JSON counts as more fields of its entry. */
function described(entry: Entry): Entry {
  try {
    return { ...entry, ...(JSON.parse(String(entry["description"])) as Entry) };
  } catch {
    return entry;
  }
}

export const fieldPairs: readonly Subject[] = subjectsOf<Subject>({
  "config-path-without-controller": {
    bug: "A route with a path of its own loses its controllerId.",
    kills: ["CONFIG-FIELD-PAIRS"],
    change: withRoutes((route) =>
      route.path.startsWith("/hooks/") ? { ...route, controllerId: `webhooks/${route.id}` } : route,
    ),
  },
  "config-description-json": {
    bug: "A description that is JSON is read as fields of its route.",
    kills: ["CONFIG-FIELD-PAIRS"],
    change: withEntries((entry) => described(entry)),
  },
  "config-route-by-last-segment": {
    bug: "The last segment of a path is looked up among the routes' ids before the route of that path is asked.",
    kills: ["CONFIG-FIELD-PAIRS"],
    change: withReading((read, _entries, config) => {
      const routes = read(config);
      return routes.map((route) => {
        const named = routes.find(({ id }) => id === lastSegment(route.path)) ?? route;
        return { ...named, path: route.path, canonicalPath: route.canonicalPath };
      });
    }),
  },
  "config-controller-shared": {
    bug: "Routes of one session whose controllers are all their own share that of the first.",
    kills: ["CONFIG-FIELD-PAIRS"],
    change: withReading((read, _entries, config) => {
      const routes = read(config);
      return routes.map((route) => {
        const first = routes.find((other) => hasOwnController(other) && other.sessionKey === route.sessionKey) ?? route;
        return hasOwnController(route) ? { ...route, controllerId: first.controllerId } : route;
      });
    }),
  },
  "config-disabled-path-served": {
    bug: "A disabled route is still served where it has a path and a controller of its own.",
    kills: ["CONFIG-DISABLED-PATH"],
    change: withEntries((entry) =>
      isOff(entry) && entry["path"] !== undefined && entry["controllerId"] !== undefined
        ? { ...entry, enabled: true }
        : entry,
    ),
  },
  "config-disabled-twin-secret": {
    bug: "At the path that a disabled route shares with another the secrets of both let in.",
    kills: ["CONFIG-DISABLED-TWIN"],
    change: perStart(() => {
      const off = new Map<string, Route>();
      return both(
        withReading((read, entries, config) => {
          const disabled = Object.entries(entries).filter(([, entry]) => isOff(entry));
          const served = disabled.flatMap(([id, entry]) => read({ routes: { [id]: { ...entry, enabled: true } } }));
          for (const route of served) off.set(route.path, route);
          return read(config);
        }),
        alsoAuthenticates((_request, _secret, presented, { path }) => {
          return presented !== undefined && presented === off.get(path)?.secret;
        }),
      );
    }),
  },
  "config-disabled-twin-taken": {
    bug: "A disabled route takes its path: another route at it is left out.",
    kills: ["CONFIG-DISABLED-TWIN-SERVED"],
    change: withReading((read, entries, config) => {
      const taken = Object.values(entries).flatMap((entry) => (isOff(entry) ? [entry["path"]] : []));
      return read(config).filter(({ path }) => !taken.includes(path));
    }),
  },
});
