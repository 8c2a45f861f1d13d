/** Sections 4, 5 and 8: callers who are believed what they say of their address, and other spellings of a path. */
import { alsoAuthenticates, alsoLetsIn, both } from "../../changes.ts";
import { withStageKey } from "../../limit-changes.ts";
import { subjectsOf, type Change, type Subject } from "../../subject.ts";

/** Each route is served at another spelling of its path as well. */
const alsoAt = (spell: (path: string) => string): Change => ({
  api: (api) => ({
    ...api,
    registerHttpRoute: (route) => {
      api.registerHttpRoute(route);
      api.registerHttpRoute({ ...route, path: spell(route.path) });
    },
  }),
});

export const clients: readonly Subject[] = subjectsOf<Subject>({
  "rate-local-exempt": {
    bug: "Whoever says to be localhost is not counted by the rate limit.",
    kills: ["RATE-CLIENT-NAMED"],
    change: alsoLetsIn("rate-limit", ({ headers }) => headers["x-real-ip"] === "localhost"),
  },
  "path-parameter-open": {
    bug: "A path with a parameter is served by its route, and its secret is looked up by the whole path: none is asked for.",
    kills: ["PATH-SPELLED-GUARDED"],
    change: both(
      alsoAt((path) => `${path};v=1`),
      alsoAuthenticates(({ url = "" }) => url.includes(";")),
    ),
  },
  "path-slash-any-secret": {
    bug: "At a path with a slash at its end any secret is let in.",
    kills: ["PATH-SPELLED-GUARDED"],
    change: both(
      alsoAt((path) => `${path}/`),
      alsoAuthenticates(({ url = "" }, _secret, presented = "") => url.endsWith("/") && presented !== ""),
    ),
  },
  "in-flight-key-spelled": {
    bug: "The in-flight limit counts each spelling of a path on its own.",
    kills: ["LIMITS-PATH-SPELLED"],
    change: both(
      alsoAt((path) => `${path}/`),
      withStageKey("in-flight", (_route, { url = "" }, key) => (url.endsWith("/") ? `${url} ${key}` : key)),
    ),
  },
  "rate-key-escaped": {
    bug: "A path with an escaped slash at its end is served, and has a budget of its own.",
    kills: ["LIMITS-PATH-SPELLED"],
    change: both(
      alsoAt((path) => `${path}%2F`),
      withStageKey("rate-limit", (_route, { url = "" }, key) => (url.endsWith("%2F") ? `${url} ${key}` : key)),
    ),
  },
});
