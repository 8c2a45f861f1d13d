/** Sections 4, 5 and 8: limits that count by something that the caller chooses, and other spellings of a path. */
import type { IncomingMessage } from "node:http";
import type { Route } from "../../../../plugin/config.ts";
import type { Exchange, Parts } from "../../../../plugin/contract.ts";
import { alsoLetsIn, together, withRegistered, withStage } from "../../changes.ts";
import { letsIn, productHeader } from "../../lets-in.ts";
import { BUDGET, uncounted } from "../../limit-books.ts";
import { allFailing, failing, failingEach, type Change, type Subject } from "../../subject.ts";

/** Each route is served at another spelling of its path as well. */
const alsoAt = (spell: (path: string) => string): Change =>
  withRegistered((route) => [route, { ...route, path: spell(route.path) }]);

type Limit = "rate-limit" | "in-flight";

/** Another key for one of the two limits. `key`: the correct one. */
const withStageKey = (name: Limit, keyOf: (route: Route, request: IncomingMessage, key: string) => string): Change =>
  withStage(name, async (exchange, right) => {
    const { context } = exchange;
    const clientKey: Parts["clientKey"] = (route, request) =>
      keyOf(route, request, context.parts.clientKey(route, request));
    const inner: Exchange = { ...exchange, context: { ...context, parts: { ...context.parts, clientKey } } };
    const outcome = await right(inner);
    if (inner.releaseSlot !== undefined) exchange.releaseSlot = inner.releaseSlot;
    return outcome;
  });

/** A path with this end is served as well, and counted on its own. */
const spelledWith = ([end, limit]: readonly [end: string, limit: Limit]): Change =>
  together(
    alsoAt((path) => `${path}${end}`),
    withStageKey(limit, (_route, { url = "" }, key) => (url.endsWith(end) ? `${url} ${key}` : key)),
  );

const bothLimits = [
  { limit: "rate-limit", prefix: "RATE" },
  { limit: "in-flight", prefix: "IN-FLIGHT" },
] as const;

/** Headers that a caller chooses. */
const chosenBy = ["Host", "User-Agent", "X-Real-IP", "X-Client-IP", "X-Envoy-External-Address", "X-Forwarded-For"];

const ofBoth: readonly Subject[] = bothLimits.flatMap(({ limit, prefix }) => [
  ...failingEach(chosenBy, (header) => [
    `LIMITS-CLIENT-NAMED: The ${limit} check tells clients of one address apart by the last item of ${header}`,
    withStageKey(
      limit,
      (_route, { headers }, key) => `${String(headers[header.toLowerCase()]).split(", ").at(-1)} ${key}`,
    ),
  ]),
  ...failing({
    [`${prefix}-KEY-PATH: The ${limit} check counts all routes of a session together`]: withStageKey(
      limit,
      ({ sessionKey }, { socket }) => `${sessionKey} ${socket.remoteAddress}`,
    ),
    [`${prefix}-KEY-PATH: The ${limit} check tells routes apart by the last segment of their paths`]: withStageKey(
      limit,
      ({ path }, { socket }) => `${path.split("/").at(-1)} ${socket.remoteAddress}`,
    ),
    [`${prefix}-KEY-ADDRESS: The ${limit} check tells clients apart by the last 16 bits of their address`]:
      withStageKey(limit, ({ path }, { socket }) => `${path} ${socket.remoteAddress?.split(".").slice(-2).join(".")}`),
    [`${prefix}-EVERY-REQUEST: The key of the ${limit} check is the request target with its query`]: withStageKey(
      limit,
      (_route, { url, socket }) => `${url} ${socket.remoteAddress}`,
    ),
    [`${prefix}-EVERY-REQUEST: The ${limit} check counts all routes with a configured path of a client together`]:
      withStageKey(limit, ({ id, path }, { socket }, key) =>
        path.endsWith(`/${id}`) ? key : `configured ${socket.remoteAddress}`,
      ),
  }),
]);

export const limitKeys: readonly Subject[] = [
  ...failing({
    "ALWAYS-WITHIN-LIMITS: The rate limit tells addresses apart by their first three bytes only": withStageKey(
      "rate-limit",
      (_route, _request, key) => key.replace(/\.\d+$/, ""),
    ),
    "RATE-EVERY-REQUEST: A request target in absolute form has a budget of its own": withStageKey(
      "rate-limit",
      (_route, { url = "" }, key) => (url.startsWith("/") ? key : `${url} ${key}`),
    ),
    "RATE-EVERY-REQUEST: The rate limit's key holds the credentials as they were sent, so another header opens another budget":
      withStageKey(
        "rate-limit",
        (_route, { headers }, key) => `${key} ${headers.authorization} ${String(headers[productHeader])}`,
      ),
    "RATE-EVERY-REQUEST: The last place of a window is given back by a refusal for the secret": uncounted(
      "unauthorized",
      (count) => count === BUDGET,
    ),
    "LIMITS-CLIENT-NAMED: Whoever says to be localhost is not counted by the rate limit": alsoLetsIn(
      "rate-limit",
      ({ headers }) => headers["x-real-ip"] === "localhost",
    ),
    "PATH-SPELLED-GUARDED: The folder of all routes is served as well, by whatever secret": together(
      alsoAt((path) => path.replace(/\/[^/]*$/, "")),
      letsIn(({ url, presented }) => url.endsWith("/webhooks") && presented !== ""),
    ),
    "PATH-SPELLED-GUARDED: A path with a parameter is served, and its secret is looked up by the whole path: none is asked for":
      together(
        alsoAt((path) => `${path};v=1`),
        letsIn(({ url }) => url.includes(";")),
      ),
    "PATH-SPELLED-GUARDED: At a path with a slash at its end any secret is let in": together(
      alsoAt((path) => `${path}/`),
      letsIn(({ url, presented }) => url.endsWith("/") && presented !== ""),
    ),
  }),
  ...allFailing("LIMITS-PATH-SPELLED", spelledWith, {
    "A path with a slash at its end is served, and has a budget of its own": ["/", "rate-limit"],
    "A path with an escaped slash at its end is served, and has a budget of its own": ["%2F", "rate-limit"],
    "A path with a slash at its end is served, and its requests in flight are counted on their own": ["/", "in-flight"],
  }),
  ...allFailing("PATH-SPELLED-GUARDED", alsoAt, {
    "A route is also served a segment below its path": (path) => `${path}/x`,
    "A route is also served wherever a path begins with its own": (path) => `${path}x`,
    "A route is also served at its path with an extension": (path) => `${path}.json`,
    "A route is also served at the beginning of its path": (path) => path.slice(0, -1),
  }),
  ...ofBoth,
];
