/** Section 5: what a plugin keeps of the configuration that it read before. */
import type { Route } from "../../../../plugin/config.ts";
import { withPart } from "../../changes.ts";
import { failing, type Change, type Subject } from "../../subject.ts";

type Routes = readonly Route[];
/** What a plugin makes of the routes that it reads; `first`, `last`: those that it read first, and last. */
type Keeps = (now: Routes, first: Routes, last: Routes) => Routes;

const keeping = (change: Keeps): Change => ({
  ...withPart("readRoutes", (read) => {
    let first: Routes | undefined;
    let last: Routes = [];
    return (config) => {
      const now = read(config);
      first ??= now;
      const routes = change(now, first, last);
      last = now;
      return [...routes];
    };
  }),
  reloads: true,
});

/** Of each route this field is what the first configuration had. */
const keepsField =
  (field: "secret" | "sessionKey" | "controllerId"): Keeps =>
  (now, first) =>
    now.map((route) => ({ ...route, [field]: (first.find(({ id }) => id === route.id) ?? route)[field] }));

const has = (routes: Routes, route: Route): boolean => routes.some(({ id }) => id === route.id);
const movedFrom = (now: Routes, old: Route): boolean => now.some(({ id, path }) => id === old.id && path !== old.path);

export const changedConfiguration: readonly Subject[] = failing("CONFIG-CHANGED", keeping, {
  "After a reload the old secrets still hold": keepsField("secret"),
  "After a reload a route acts for its old session": keepsField("sessionKey"),
  "After a reload new flows get the old controllerId": keepsField("controllerId"),
  "After a reload a route whose secret was missing stays inactive": (now, first) =>
    now.map((route) => {
      const old = first.find(({ id }) => id === route.id)?.secret;
      return old === undefined || typeof old === "string" ? route : { ...route, secret: old };
    }),
  "After a reload a route is served at its old path, too": (now, _first, last) => [
    ...now,
    ...last.filter((old) => movedFrom(now, old)),
  ],
  "After a reload a route that it disables stays served": (now, _first, last) => [
    ...now,
    ...last.filter((old) => !has(now, old)),
  ],
  "After a reload a route that it enables is not served": (now, first) => now.filter((route) => has(first, route)),
});
