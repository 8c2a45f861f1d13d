/** Section 4: other spellings of a route's path. What is served there is open; the secret and the limits are not. */
import { spoilt } from "../../interface/broken-requests.ts";
import { withBearer, withMethod, withBody, withoutSecret, withPath, type Request } from "../../interface/request.ts";
import { envelopeOf, describe, isAccepted } from "../../http/exchange.ts";
import { NotApplicable } from "../../harness/case-errors.ts";
import type { Case } from "../../harness/case.ts";
import { everyCell } from "../../harness/cells.ts";
import { check, mustAccept, twin } from "../../harness/checks.ts";
import { cheap, fill, keyOf, type Key } from "../../harness/limit-keys.ts";
import type { Trial } from "../../harness/trial.ts";
import { usedUp } from "../../harness/used-up.ts";

type Spelling = readonly [what: string, spell: (path: string, other: string) => string];

const percentAt = (path: string, index: number): string =>
  `${path.slice(0, index)}%${path.charCodeAt(index).toString(16)}${path.slice(index + 1)}`;
const lastSegment = (path: string): number => path.lastIndexOf("/") + 1;

/** `other`: the path of a route of another session. */
const spellings: readonly Spelling[] = [
  ["a slash at the end", (path) => `${path}/`],
  ["two slashes at the end", (path) => `${path}//`],
  ["capital letters", (path) => path.toUpperCase()],
  ["a capital letter", (path) => path.slice(0, -2) + path.slice(-2).toUpperCase()],
  ["a capital letter in the prefix", (path) => path.replace("/plugins", "/Plugins")],
  ["two slashes at the beginning", (path) => `/${path}`],
  ["two slashes inside", (path) => path.replace(/\/([^/]*)$/, "//$1")],
  ["an escaped slash", (path) => path.replace(/\/([^/]*)$/, "%2f$1")],
  ["an escaped slash at the end", (path) => `${path}%2F`],
  ["an escaped letter", (path) => percentAt(path, lastSegment(path))],
  ["an escaped hyphen", (path) => path.replace("-", "%2D")],
  ["a letter that is escaped twice", (path) => percentAt(path, lastSegment(path)).replace("%", "%25")],
  ["a dot segment at the end", (path) => `${path}/.`],
  ["a dot segment inside", (path) => path.replace(/\/([^/]*)$/, "/./$1")],
  ["a step up and down again", (path) => path.replace(/\/([^/]*)$/, "/x/../$1")],
  ["a step up from another route", (path, other) => `${other}/..${path.slice(lastSegment(path) - 1)}`],
  ["escaped dot segments", (path) => path.replace(/\/([^/]*)$/, "/x/%2e%2e/$1")],
  ["a parameter", (path) => `${path};v=1`],
  ["an extension", (path) => `${path}.json`],
  ["an escaped NUL", (path) => `${path}%00`],
  ["an escaped blank", (path) => `${path}%20`],
  ["an escaped question mark", (path) => `${path}%3fa=1`],
  ["a backslash", (path) => path.replace(/\/([^/]*)$/, "\\$1")],
  ["a segment more", (path) => `${path}/x`],
];

/** What comes with the spelling in place of the right secret. */
const wrong: readonly (readonly [what: string, spoil: (request: Request, trial: Trial) => Request])[] = [
  ["no secret", withoutSecret],
  ["a wrong secret", (request) => spoilt(request, "AUTH")],
  ["another route's secret", (request, { stranger }) => withBearer(request, stranger.secret)],
];

const rowsOf = (): string[] => spellings.map(([what]) => what);

/** The requests of one key, each with another spelling of its path. */
const spelled = (trial: Trial, key: Key): readonly (readonly [what: string, request: Request])[] =>
  spellings.map(([what, spell]) => [what, withPath(cheap(trial, key), spell(key.route.path, trial.stranger.path))]);

export const pathCases: readonly Case[] = [
  {
    id: "PATH-SPELLED-GUARDED",
    title: "Another spelling of a route's path lets nobody in without that route's secret, and no other method",
    clauses: ["AUTH-REQUIRED", "METHOD-POST", "PATH-SERVED"],
    requests: 4 * spellings.length + 4,
    reading:
      "Whether a spelling is served is open. Where it is, the checks are those of the route that serves it: another " +
      "route's secret is accepted in that route's name alone.",
    async run(trial) {
      twin(await trial.send(trial.right()));
      const visit = everyCell(trial, rowsOf(), [...wrong.map(([what]) => what), "GET"]);
      for (const [what, request] of spelled(trial, keyOf(trial))) {
        for (const [how, spoil] of wrong) {
          const exchange = await trial.send(spoil(request, trial));
          const named = envelopeOf(exchange)?.routeId === trial.stranger.id && how === "another route's secret";
          check(!isAccepted(exchange) || named, `a refusal at ${what}, with ${how}`, describe(exchange), exchange);
          visit(what, how);
        }
        const read = await trial.send(withBody(withMethod(request, "GET"), ""));
        check(!isAccepted(read), `a refusal at ${what}, of GET`, describe(read), read);
        visit(what, "GET");
      }
      mustAccept(await trial.send(trial.right()), "the right request accepted afterwards");
    },
  },
  {
    id: "LIMITS-PATH-SPELLED",
    title: "No other spelling of a route's path opens another budget or more slots",
    clauses: ["RATE-KEY-PATH"],
    gaps: ["rate.path-canonical"],
    meetsLimits: true,
    requests: 260,
    reading: "Bound to false it asks for nothing: which spellings are paths of their own is the target's matter then.",
    async run(trial) {
      if (!trial.gap("rate.path-canonical"))
        throw new NotApplicable("the profile takes other spellings for other paths");
      const visit = everyCell(trial, rowsOf(), ["rate", "in flight"]);
      const { key } = await usedUp(trial);
      for (const [what, request] of spelled(trial, key)) {
        let exchange = await trial.send(request, key.from);
        // A window aligned to the clock may have ended.
        if (isAccepted(exchange) && isAccepted(await trial.send(cheap(trial, key), key.from))) {
          await usedUp(trial, spellings.length);
          exchange = await trial.send(request, key.from);
        }
        check(!isAccepted(exchange), `no budget for ${what}`, describe(exchange), exchange);
        visit(what, "rate");
      }
      const other = keyOf(trial, { route: trial.sibling });
      const { held } = await fill(trial, other);
      for (const [what, request] of spelled(trial, other)) {
        const exchange = await trial.send(request, other.from);
        check(!isAccepted(exchange), `no slot for ${what}`, describe(exchange), exchange);
        visit(what, "in flight");
      }
      await held.finish();
    },
  },
];
