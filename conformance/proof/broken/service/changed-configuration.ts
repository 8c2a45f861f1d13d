/** Section 5: what a plugin keeps of the configuration that it read before. */
import type { Route } from "../../../../plugin/config.ts";
import type { Change, Subject } from "../../subject.ts";

type Routes = readonly Route[];
/** What a plugin makes of the routes that it reads; `first`, `last`: those that it read first, and last. */
type Keeps = (now: Routes, first: Routes, last: Routes) => Routes;

const keeping = (change: Keeps): Change => ({
  reloads: true,
  parts: (parts) => {
    let first: Routes | undefined;
    let last: Routes = [];
    return {
      ...parts,
      readRoutes: (config) => {
        const now = parts.readRoutes(config);
        first ??= now;
        const routes = change(now, first, last);
        last = now;
        return [...routes];
      },
    };
  },
});

/** Of each route this field is what the first configuration had. */
const keepsField =
  (field: "secret" | "sessionKey" | "controllerId"): Keeps =>
  (now, first) =>
    now.map((route) => ({ ...route, [field]: (first.find(({ id }) => id === route.id) ?? route)[field] }));

const has = (routes: Routes, route: Route): boolean => routes.some(({ id }) => id === route.id);
const movedFrom = (now: Routes, old: Route): boolean => now.some(({ id, path }) => id === old.id && path !== old.path);

const kept: readonly (readonly [id: string, what: string, keeps: Keeps])[] = [
  ["keeps-secret", "the old secrets still hold", keepsField("secret")],
  ["keeps-session", "a route acts for its old session", keepsField("sessionKey")],
  ["keeps-controller", "new flows get the old controllerId", keepsField("controllerId")],
  [
    "keeps-path",
    "a route is served at its old path, too",
    (now, _first, last) => [...now, ...last.filter((old) => movedFrom(now, old))],
  ],
  [
    "keeps-disabled",
    "a route that it disables stays served",
    (now, _first, last) => [...now, ...last.filter((old) => !has(now, old))],
  ],
  ["adds-none", "a route that it enables is not served", (now, first) => now.filter((route) => has(first, route))],
];

export const changedConfiguration: readonly Subject[] = kept.map(([id, what, keeps]) => ({
  id: `reload-${id}`,
  bug: `After a reload ${what}.`,
  kills: ["CONFIG-CHANGED"],
  change: keeping(keeps),
}));
