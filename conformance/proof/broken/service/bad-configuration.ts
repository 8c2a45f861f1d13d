/** Sections 1 and 5: bad route entries that are served, and what a plugin keeps of the configuration before. */
import { reject } from "../../../../plugin/answer.ts";
import type { Route } from "../../../../plugin/config.ts";
import {
  perStart,
  together,
  tried,
  withEntries,
  withReading,
  type RouteEntry,
  withPart,
  withRoutes,
  withStage,
} from "../../changes.ts";
import { letsIn } from "../../lets-in.ts";
import { BUDGET, limiting } from "../../limit-books.ts";
import { allFailing, failing, type Change, type Subject } from "../../subject.ts";

/** Stands for a secret that everybody has. */
const OPEN = "open to all";

/** Routes that a change of the configuration gives no secret are open. */
const opening = (change: Change): Change =>
  together(
    change,
    letsIn(({ secret }) => secret === OPEN),
  );

/** Routes with such a secret let in whoever sends none. */
const opensBlank = (isBlank: (secret: unknown, env: NodeJS.ProcessEnv) => boolean): Change =>
  together(
    withEntries((entry, _id, { env }) => (isBlank(entry["secret"], env) ? { ...entry, secret: OPEN } : entry)),
    letsIn(({ secret, presented }) => secret === OPEN && presented.trim() === ""),
  );

/**
 * Reads every route entry by itself; `mend` returns a replacement for a bad one, or undefined to drop it. Paths are told
 * apart as they are written.
 */
export const readAlone = (mend: (entry: RouteEntry, id: string) => RouteEntry | undefined): Change =>
  withReading((read, entries) => {
    const routes = Object.entries(entries).flatMap(([id, entry]) => {
      const served = tried(() => read({ routes: { [id]: entry } }), undefined);
      const mended = served ? undefined : mend(entry, id);
      return served ?? (mended ? read({ routes: { [id]: mended } }) : []);
    });
    return routes.map((route) => ({ ...route, canonicalPath: route.path }));
  });

/** Both are served of two routes whose paths differ in letter case, and limits count them as one. */
const countedAsOne: Change = together(
  readAlone(() => undefined),
  withRoutes((route) => ({ ...route, canonicalPath: route.path.toLowerCase() })),
);

const textOf = (value: unknown): string =>
  typeof value === "object" && value !== null ? String(Object.values(value).at(-1)) : String(value);

type Routes = readonly Route[];
/** What a plugin makes of the routes that it reads; `first`, `last`: those that it read first, and last. */
type Keeps = (now: Routes, first: Routes, last: Routes) => Routes;

/** A route that was asked for its secret before it had one stays without. */
const keepsRefusals: Change = {
  ...perStart(() => {
    const asked = new Set<string>();
    return withStage("authentication", (exchange, right) => {
      const { context } = exchange;
      const { id, secret } = context.route;
      if (typeof secret !== "string") asked.add(id);
      return asked.has(id) ? right({ ...exchange, context: { ...context, secretMatches: () => false } }) : right();
    });
  }),
  reloads: true,
};

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

/** Of these routes the field is what the first configuration had. */
const keepsField =
  (field: "secret" | "path" | "sessionKey" | "controllerId", isMeant = (_route: Route) => true): Keeps =>
  (now, first) =>
    now.map((route) => {
      const old = first.find(({ id }) => id === route.id) ?? route;
      return isMeant(route) ? { ...route, [field]: old[field] } : route;
    });

/** Which flows wait the plugin knows of those alone that were set waiting since it was registered. */
const remembersWaiting = perStart(() => {
  const waiting = new Set<unknown>();
  return together(
    keeping((now) => {
      waiting.clear();
      return now;
    }),
    withStage("action", ({ body = {} }, right) => {
      if (body["action"] === "set_waiting") waiting.add(body["flowId"]);
      return body["action"] === "resume_flow" && !waiting.has(body["flowId"]) ? reject("mutation_rejected") : right();
    }),
  );
});

const keyOf = (routes: Routes): string =>
  JSON.stringify(routes.map(({ id, path, sessionKey }) => [id, path, sessionKey]));

const has = (routes: Routes, route: Route): boolean => routes.some(({ id }) => id === route.id);
const movedFrom = (now: Routes, old: Route): boolean => now.some(({ id, path }) => id === old.id && path !== old.path);

export const badConfiguration: readonly Subject[] = [
  ...failing({
    "CONFIG-EMPTY-SECRET: A route whose secret is blank lets in whoever sends none": opensBlank(
      (secret) => String(secret).trim() === "",
    ),
    "CONFIG-EMPTY-VARIABLE: A secret whose variable is empty is an empty secret, which lets in whoever sends none":
      opensBlank((secret, env) => env[(secret as { id?: string } | undefined)?.id ?? ""] === ""),
    "CONFIG-NO-SECRET: A route without a secret lets everybody in": opening(
      withEntries((entry) => ({ secret: OPEN, ...entry })),
    ),
    "CONFIG-SEVERAL-BAD: Of several bad routes the first is left out; a later one is served with what it has": opening(
      readAlone((entry) => ("sessionKey" in entry && !("secret" in entry) ? { ...entry, secret: OPEN } : undefined)),
    ),
    "CONFIG-UNKNOWN-FIELDS: A route entry that says `public: true` is served without asking for its secret; others with unknown fields are left out":
      opening(readAlone(({ public: open, ...rest }) => (open === true ? { ...rest, secret: OPEN } : undefined))),
    "CONFIG-PATH-SPELLED, CONFIG-PATH-DUPLICATE: Two routes whose paths are one, or differ only in spelling, are taken for one, and whichever secret fits decides":
      together(
        countedAsOne,
        letsIn(({ presented, route, routes }) =>
          routes.some(({ canonicalPath, secret }) => canonicalPath === route.canonicalPath && secret === presented),
        ),
      ),
    "CONFIG-PATH-SPELLED: Routes whose paths differ in letter case are served as two, and have one budget and one set of slots":
      countedAsOne,
    "CONFIG-PATH-CLASH, CONFIG-PATH-CLASH-DEFAULT: Paths are not checked for uniqueness: the last route of a path silently takes the place of the others":
      withReading((read, entries) =>
        Object.entries(entries).flatMap(([id, entry]) => read({ routes: { [id]: entry } })),
      ),
    "CONFIG-CHANGED: A route that was asked while its secret was missing is inactive after a reload as well":
      keepsRefusals,
    "CONFIG-CHANGED: After a reload no flow is resumed that was set waiting before": {
      ...remembersWaiting,
      reloads: true,
    },
    "RATE-WINDOW-60-SECONDS: After a reload no request is counted": {
      ...limiting(() => {
        let times = 0;
        return { registered: () => void (times += 1), budget: () => (times > 1 ? Infinity : BUDGET) };
      }),
      reloads: true,
    },
    "CONFIG-CHANGED: A reload forgets who is in flight, and requests of before it free the slots of those after it": {
      ...limiting(() => ({ registered: ({ slots }) => slots.clear() })),
      reloads: true,
    },
    "CONFIG-CHANGED: After a reload the old secrets still hold, in the product's header alone": {
      ...letsIn(({ own, route, routes }) => routes.some(({ id, secret }) => id === route.id && secret === own)),
      reloads: true,
    },
  }),
  ...allFailing("CONFIG-WRONG-TYPES", readAlone, {
    "A secret of any type is turned into a text; of a SecretRef that it does not know, its id is the secret": (
      entry,
      id,
    ) => (id.startsWith("secret-") ? { ...entry, secret: textOf(entry["secret"]) } : undefined),
    "A sessionKey of any type is turned into a text": (entry, id) =>
      id.startsWith("session-") ? { ...entry, sessionKey: JSON.stringify(entry["sessionKey"]) } : undefined,
  }),
  ...allFailing("CONFIG-CHANGED", keeping, {
    "Registered again a plugin registers no route": (now, _first, last) => (last.length === 0 ? now : []),
    "Registered again a plugin throws": (now, _first, last) => {
      if (last.length > 0) throw new Error("it is registered already");
      return now;
    },
    "After a reload the old secrets still hold": keepsField("secret"),
    "Registered again with the same ids, paths and sessions a plugin goes on with the routes that it has": (
      now,
      _first,
      last,
    ) => (keyOf(now) === keyOf(last) ? last : now),
    "After a reload the old paths still hold": keepsField("path"),
    "After a reload the old secret that a command gave still holds": keepsField("secret", ({ id }) =>
      id.endsWith("-exec"),
    ),
    "After a reload no route is opened by the secret that another one had": (now, first) =>
      now.map((route) => {
        const isOther = first.some(({ id, secret }) => id !== route.id && secret === route.secret);
        return isOther ? { ...route, secret: `not the secret of ${route.id}` } : route;
      }),
    "After a reload a route acts for its old session": keepsField("sessionKey"),
    "After a reload new flows get the old controllerId": keepsField("controllerId"),
    "After a reload a route whose secret has gone keeps the last one": keepsField(
      "secret",
      ({ secret }) => typeof secret !== "string",
    ),
    "After a reload a route is served at its old path, too": (now, _first, last) => [
      ...now,
      ...last.filter((old) => movedFrom(now, old)),
    ],
    "After a reload a route that it disables stays served": (now, _first, last) => [
      ...now,
      ...last.filter((old) => !has(now, old)),
    ],
    "After a reload a path that it leaves out is the old one": keepsField(
      "path",
      ({ id, path }) => path === `/plugins/webhooks/${id}`,
    ),
    "After a reload a controllerId that it leaves out is the old one": keepsField(
      "controllerId",
      ({ id, controllerId }) => controllerId === `webhooks/${id}`,
    ),
    "After a reload a route stays disabled though nothing says so any more": (now) =>
      now.filter(({ id }) => id !== "changed-default"),
    "After a reload a route that it enables is not served": (now, first) => now.filter((route) => has(first, route)),
  }),
];
