/** Section 1: fields of a route that are right one by one, and go wrong together. */
import type { Route } from "../../../../plugin/config.ts";
import { withEntries, withReading, withRoutes, type Entry } from "../../changes.ts";
import { letsIn } from "../../lets-in.ts";
import { failing, type Subject } from "../../subject.ts";

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

export const fieldPairs: readonly Subject[] = [
  ...failing("CONFIG-FIELD-PAIRS", {
    "A route with a path of its own loses its controllerId": withRoutes((route) =>
      route.path.startsWith("/hooks/") ? { ...route, controllerId: `webhooks/${route.id}` } : route,
    ),
    "A description that is JSON is read as fields of its route": withEntries((entry) => described(entry)),
    "The last segment of a path is looked up among the routes' ids before the route of that path is asked": withReading(
      (read, _entries, config) => {
        const routes = read(config);
        return routes.map((route) => {
          const named = routes.find(({ id }) => id === lastSegment(route.path)) ?? route;
          return { ...named, path: route.path, canonicalPath: route.canonicalPath };
        });
      },
    ),
    "Routes of one session whose controllers are all their own share that of the first": withReading(
      (read, _entries, config) => {
        const routes = read(config);
        return routes.map((route) => {
          const first =
            routes.find((other) => hasOwnController(other) && other.sessionKey === route.sessionKey) ?? route;
          return hasOwnController(route) ? { ...route, controllerId: first.controllerId } : route;
        });
      },
    ),
  }),
  ...failing("CONFIG-DISABLED-PATH", {
    "A disabled route is still served where it has a path and a controller of its own": withEntries((entry) =>
      isOff(entry) && entry["path"] !== undefined && entry["controllerId"] !== undefined
        ? { ...entry, enabled: true }
        : entry,
    ),
  }),
  ...failing("CONFIG-DISABLED-TWIN", {
    "At the path that a disabled route shares with another the secrets of both let in": letsIn(
      ({ entries, route, presented }) =>
        Object.values(entries).some(
          (entry) => isOff(entry) && entry["path"] === route.path && entry["secret"] === presented,
        ),
    ),
  }),
  ...failing("CONFIG-DISABLED-TWIN-SERVED", {
    "A disabled route takes its path: another route at it is left out": withReading((read, entries, config) => {
      const taken = Object.values(entries).flatMap((entry) => (isOff(entry) ? [entry["path"]] : []));
      return read(config).filter(({ path }) => !taken.includes(path));
    }),
  }),
];
