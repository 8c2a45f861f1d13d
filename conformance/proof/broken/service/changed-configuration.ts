/** Section 5: what a plugin keeps of the configuration that it read before. */
import type { Route } from "../../../../plugin/config.ts";
import type { Change } from "../../subject.ts";
import { subjectsOf, type Subject } from "../../subject.ts";

type Routes = readonly Route[];

/** What a plugin makes of the routes that it reads; `before`: those that it read first, and last. */
function keeping(change: (now: Routes, before: { readonly first: Routes; readonly last: Routes }) => Routes): Change {
  return {
    reloads: true,
    parts: (parts) => {
      let first: Routes | undefined;
      let last: Routes = [];
      return {
        ...parts,
        readRoutes: (config) => {
          const now = parts.readRoutes(config);
          first ??= now;
          const routes = change(now, { first, last });
          last = now;
          return [...routes];
        },
      };
    },
  };
}

/** Of each route this field is what the first configuration had. */
const keepsField = (field: "secret" | "sessionKey" | "controllerId"): Change =>
  keeping((now, { first }) =>
    now.map((route) => ({ ...route, [field]: (first.find(({ id }) => id === route.id) ?? route)[field] })),
  );

const has = (routes: Routes, route: Route): boolean => routes.some(({ id }) => id === route.id);

const kills = ["CONFIG-CHANGED"];

export const changedConfiguration: readonly Subject[] = subjectsOf<Subject>({
  "reload-keeps-secret": { bug: "After a reload the old secrets still hold.", kills, change: keepsField("secret") },
  "reload-keeps-session": {
    bug: "After a reload a route acts for its old session.",
    kills,
    change: keepsField("sessionKey"),
  },
  "reload-keeps-controller": {
    bug: "After a reload new flows get the old controllerId.",
    kills,
    change: keepsField("controllerId"),
  },
  "reload-keeps-path": {
    bug: "After a reload a route is served at its old path, too.",
    kills,
    change: keeping((now, { last }) => [
      ...now,
      ...last.filter((old) => now.some(({ id, path }) => id === old.id && path !== old.path)),
    ]),
  },
  "reload-keeps-disabled": {
    bug: "A route that a reload disables stays served.",
    kills,
    change: keeping((now, { last }) => [...now, ...last.filter((old) => !has(now, old))]),
  },
  "reload-adds-none": {
    bug: "A route that a reload enables is not served.",
    kills,
    change: keeping((now, { first }) => now.filter((route) => has(first, route))),
  },
});
