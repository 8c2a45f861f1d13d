/** Section 4: other spellings of a route's path. What is served there is open; the secret and the limits are not. */
import { spoilt } from "../../interface/broken-requests.ts";
import { percentAt } from "../../interface/near-values.ts";
import { withBearer, withBody, withMethod, withoutSecret, withPath, type Request } from "../../interface/request.ts";
import { describe, envelopeOf, isAccepted, type Exchange } from "../../http/exchange.ts";
import { askedOnce } from "../../harness/asked-once.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { check, mustTakeTwin } from "../../harness/checks.ts";
import { cheap, keyOf, type Key } from "../../harness/limit-keys.ts";
import type { Trial } from "../../harness/trial.ts";
import { mustBeLimited, keyStates } from "../../oracle/limited-row.ts";
import { rowCase } from "../../oracle/row-case.ts";
import { namesOf } from "../../oracle/flow-factors.ts";

const lastSegment = (path: string): number => path.lastIndexOf("/") + 1;

/** `other`: the path of another route. */
const spellings: Readonly<Record<string, (path: string, other: string) => string>> = {
  "a slash at the end": (path) => `${path}/`,
  "capital letters": (path) => path.toUpperCase(),
  "a capital letter": (path) => path.slice(0, -2) + path.slice(-2).toUpperCase(),
  "a capital letter in the prefix": (path) => path.replace("/plugins", "/Plugins"),
  "two slashes at the beginning": (path) => `/${path}`,
  "two slashes inside": (path) => path.replace(/\/([^/]*)$/, "//$1"),
  "an escaped slash": (path) => path.replace(/\/([^/]*)$/, "%2f$1"),
  "an escaped slash at the end": (path) => `${path}%2F`,
  "an escaped letter": (path) => percentAt(path, lastSegment(path)),
  "an escaped hyphen": (path) => path.replace("-", "%2D"),
  "a letter that is escaped twice": (path) => percentAt(path, lastSegment(path)).replace("%", "%25"),
  "a dot segment at the end": (path) => `${path}/.`,
  "a dot segment inside": (path) => path.replace(/\/([^/]*)$/, "/./$1"),
  "a step up and down again": (path) => path.replace(/\/([^/]*)$/, "/x/../$1"),
  "a step up from another route": (path, other) => `${other}/..${path.slice(lastSegment(path) - 1)}`,
  "escaped dot segments": (path) => path.replace(/\/([^/]*)$/, "/x/%2e%2e/$1"),
  "a parameter": (path) => `${path};v=1`,
  "an escaped NUL": (path) => `${path}%00`,
  "an escaped blank": (path) => `${path}%20`,
  "an escaped question mark": (path) => `${path}%3fa=1`,
  "a backslash": (path) => path.replace(/\/([^/]*)$/, "\\$1"),
};

/** Paths that no normalisation of URLs turns into the route's (RFC 3986, 6.2): section 1 has one HTTP route for each entry. */
const noRoutes: typeof spellings = {
  "a segment more": (path) => `${path}/x`,
  "an extension": (path) => `${path}.json`,
  "a letter more": (path) => `${path}x`,
  "a letter less": (path) => path.slice(0, -1),
  "a segment less": (path) => path.slice(0, lastSegment(path) - 1),
};
const paths = { ...spellings, ...noRoutes };

/** What comes with the spelling in place of the right request. */
const wrong: Readonly<Record<string, (request: Request, trial: Trial) => Request>> = {
  "no secret": withoutSecret,
  "a wrong secret": (request) => spoilt(request, "AUTH"),
  "another route's secret": (request, { sibling }) => withBearer(request, sibling.secret),
  "another method": (request) => withBody(withMethod(request, "GET"), ""),
  "another content type": (request) => spoilt(request, "CONTENT-TYPE"),
  "no JSON": (request) => spoilt(request, "BAD-JSON"),
};

const spellingOf = (trial: Trial, key: Key, what: string): Request =>
  withPath(cheap(trial, key), paths[what]?.(key.route.path, trial.sibling.path) ?? key.route.path);

const once = askedOnce<Exchange>();

/** The answer to the right request at another path than its route's, of which no case here uses up the limits; asked for once. */
const answerAt = (trial: Trial, what: string): Promise<Exchange> =>
  once(trial.server, what, () => trial.send(spellingOf(trial, keyOf(trial, { route: trial.stranger }), what)));

/** At a spelling that is not served one defect is enough: the secret may be looked up by another path than the route is. */
const [ALWAYS] = namesOf(wrong);

export const pathCases: readonly Case[] = [
  rowCase({
    id: "PATH-SPELLED-GUARDED",
    title: "An unknown path serves nothing; another spelling of a route's path skips no check",
    clauses: ["AUTH-REQUIRED", "METHOD-POST", "CONTENT-TYPE", "BODY-OBJECT", "PATH-SERVED"],
    requests: 110,
    reading:
      "A route is served at its configured path (section 4), and only the paths needed are exposed (section 1): one that is " +
      "longer or shorter is no route's. Whether a spelling that URL normalisation makes equal is served is open. Where it " +
      "is, the checks are those of the route that serves it: another route's secret is accepted in that route's name alone.",
    table: { factors: { spelling: namesOf(paths), wrong: namesOf(wrong) } },
    async valuesOf(trial) {
      mustTakeTwin(await trial.send(trial.right()));
      return {};
    },
    async play(trial, { spelling, wrong: how }) {
      const right = await answerAt(trial, spelling);
      check(!(isAccepted(right) && spelling in noRoutes), "a refusal: no route has this path", describe(right), right);
      if (how !== ALWAYS && !isAccepted(right)) return;
      const request = spellingOf(trial, keyOf(trial), spelling);
      const exchange = await trial.send(wrong[how]?.(request, trial) ?? request);
      const named = envelopeOf(exchange)?.routeId === trial.sibling.id && how === "another route's secret";
      check(!isAccepted(exchange) || named, "a refusal", describe(exchange), exchange);
    },
  }),
  rowCase({
    id: "LIMITS-PATH-SPELLED",
    title: "Another spelling of a route's path gives no other budget and no more slots",
    clauses: ["RATE-KEY-PATH"],
    gaps: ["rate.path-canonical"],
    meetsLimits: true,
    requests: 260,
    reading: "Bound to false it asks for nothing: which spellings are paths of their own is the target's matter then.",
    client: "one",
    table: { factors: { spelling: namesOf(spellings), state: [keyStates[1], keyStates[2]] } },
    async valuesOf(trial) {
      if (!trial.gap("rate.path-canonical"))
        throw new NotApplicable("the profile treats other spellings as other paths");
      return {};
    },
    async play(trial, { spelling, state }) {
      if (!isAccepted(await answerAt(trial, spelling))) return;
      await mustBeLimited(trial, state, (key) => spellingOf(trial, key, spelling));
    },
  }),
];
