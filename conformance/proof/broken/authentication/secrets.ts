/** Section 5: where secrets come from, gone wrong. */
import type { IncomingHttpHeaders } from "node:http";
import { resolveSecrets } from "../../../../fakes/secrets.ts";
import type { Answer } from "../../../../plugin/answer.ts";
import type { Secret } from "../../../../plugin/config.ts";
import {
  asText,
  perStart,
  routesIn,
  withEntries,
  withRoutes,
  withRefusals,
  withStage,
  type StageName,
} from "../../changes.ts";
import { letsIn } from "../../lets-in.ts";
import { allFailing, failing, failingEach, type Change, type Subject } from "../../subject.ts";

interface Reference {
  readonly source?: string;
  readonly id?: string;
}

const sourceOf = (secret: unknown): string =>
  typeof secret === "string" ? "inline" : String((secret as Reference | undefined)?.source);

const isWarm = (secret: Secret): boolean => typeof secret === "string";

/** Requests look up secrets of one source again when what is known is `keptMs` old. `snapshot`: the one of the start. */
const lookedUp = (source: string, isMeant: (snapshot: Secret) => boolean, keptMs: number): Change =>
  perStart((origin) => {
    const start = origin.clock.now();
    const known = new Map<string, { secret: Secret; since: number }>();
    return withStage("authentication", async (exchange, right) => {
      const { context } = exchange;
      const { id, secret: snapshot } = context.route;
      if (sourceOf(routesIn(origin.document)[id]?.["secret"]) !== source || !isMeant(snapshot)) return right();
      let found = known.get(id) ?? { secret: snapshot, since: start };
      const now = origin.clock.now();
      if (now - found.since >= keptMs) {
        const { document } = await resolveSecrets(origin.document as Parameters<typeof resolveSecrets>[0], origin);
        found = { secret: routesIn(document)[id]?.["secret"] as Secret, since: now };
      }
      known.set(id, found);
      const secretMatches = context.parts.createSecretCheck(found.secret);
      return right({ ...exchange, context: { ...context, secretMatches } });
    });
  });

/** Cold routes only. */
const coldLetsIn = (lets: (presented: string, secret: object & Reference) => boolean): Change =>
  letsIn(({ presented, route: { secret } }) => typeof secret === "object" && lets(presented, secret));

/** The refusal of a cold route is another one. */
export const coldRefusal = (
  refuse: (right: Answer, headers: IncomingHttpHeaders) => Answer,
  stage: StageName = "authentication",
): Change =>
  withRefusals(
    (refusal, { context, request }) => (isWarm(context.route.secret) ? refusal : refuse(refusal, request.headers)),
    stage,
  );

/** A secret of this source never resolves. */
const unresolved = (source: string): Change =>
  withEntries((entry, id, { document }) =>
    sourceOf(routesIn(document)[id]?.["secret"]) === source && sourceOf(entry["secret"]) === "inline"
      ? { ...entry, secret: { source: source === "inline" ? "env" : source, provider: "default", id: "unknown" } }
      : entry,
  );

export const secrets: readonly Subject[] = [
  ...failing({
    "SECRET-FILE, SECRET-EXEC, SECRET-STORE: Values of SecretRefs are kept by their id, whatever their source":
      perStart(() => {
        const known = new Map<string | undefined, unknown>();
        return withEntries((entry, id, { document }) => {
          const ref = (routesIn(document)[id]?.["secret"] as Reference | undefined)?.id;
          known.set(ref, ref === undefined ? undefined : (known.get(ref) ?? entry["secret"]));
          return { ...entry, secret: known.get(ref) ?? entry["secret"] };
        });
      }),
    "SECRET-COLD-CLOSED: Of the routes whose secret could not be resolved those with a path of their own are not registered":
      withEntries((entry) => (typeof entry["secret"] !== "string" && entry["path"] !== undefined ? undefined : entry)),
    "SECRET-COLD-CLOSED: A route whose secret could not be resolved ends in an internal error": coldRefusal(() => {
      throw new TypeError("secret.trim is not a function");
    }),
    "REQUEST-RIGHT: The routes of a session go by the first of them, and are inactive where that has no secret":
      withRoutes((route, routes) => {
        const first = routes.find(({ sessionKey }) => sessionKey === route.sessionKey) ?? route;
        return isWarm(first.secret) ? route : { ...route, secret: first.secret };
      }),
    "SECRET-COLD-CLOSED: The gateway does not start when one route's secret cannot be resolved": withRoutes((route) => {
      if (!isWarm(route.secret)) throw new Error(`the secret of route ${route.id} could not be resolved`);
      return route;
    }),
    "SECRET-COLD-CLOSED: A secret that cannot be resolved is that of the route before": withRoutes((route, routes) => {
      const { secret } = (!isWarm(route.secret) && routes[routes.indexOf(route) - 1]) || route;
      return { ...route, secret };
    }),
    "SECRET-COLD-RESTART: A reference that could not be resolved once is not tried again after a restart": withEntries(
      (entry, id, { document }) => {
        const { secret } = routesIn(document)[id] ?? {};
        return (secret as Reference | undefined)?.id === "WEBHOOKS_SECRET_COLD" ? { ...entry, secret } : entry;
      },
    ),
  }),
  ...failingEach(["inline", "env", "file", "exec", "store"], (source) => [
    `${source === "inline" || source === "env" ? "REQUEST-RIGHT" : `SECRET-${source.toUpperCase()}`}: Secrets of source ${source} are not resolved`,
    unresolved(source),
  ]),
  ...Object.entries({ file: "undefined", exec: "(null)", store: "nil" }).flatMap(([source, nothing]) =>
    failing({
      [`SECRET-SNAPSHOT-${source.toUpperCase()}: Secrets of source ${source} are kept for a minute, then resolved again by the next request`]:
        lookedUp(source, isWarm, 60_000),
      [`SECRET-SNAPSHOT-COLD-${source.toUpperCase()}: A secret of source ${source} that was missing at start-up is looked for again by every request`]:
        lookedUp(source, (snapshot) => !isWarm(snapshot), 0),
      [`SECRET-COLD-CLOSED: Where the source ${source} holds nothing the text ${nothing} is taken for the secret`]:
        coldLetsIn((presented, secret) => sourceOf(secret) === source && presented === nothing),
    }),
  ),
  ...allFailing("SECRET-COLD-CLOSED", coldLetsIn, {
    "A route whose secret could not be resolved lets in who sends none": (presented) => presented === "",
    "A SecretRef that was not resolved is compared as the text [object Object]": (presented, secret) =>
      presented === asText(secret),
    "Where a variable is missing its name is taken for the secret": (presented, { id }) => presented === id,
    "A variable that is not there stays in the secret as the shell writes it: `$NAME`": (presented, { id }) =>
      presented === `$${id}`,
  }),
  ...allFailing("SECRET-COLD-GENERIC", coldRefusal, {
    "The 401 of a route whose secret could not be resolved says so to a caller with the product's header": (
      right,
      { authorization },
    ) => (authorization === undefined ? { ...right, error: "This route has no secret yet." } : right),
    "The 401 of a route without its secret has a challenge of its own, so strangers see which are cold": (right) => ({
      ...right,
      headers: { ...right.headers, "WWW-Authenticate": 'Bearer realm="inactive"' },
    }),
  }),
];
