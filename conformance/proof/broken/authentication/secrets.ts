/** Section 5: where secrets come from, gone wrong. */
import { resolveSecrets } from "../../../../fakes/secrets.ts";
import { reject, type Answer } from "../../../../plugin/answer.ts";
import type { Route, Secret } from "../../../../plugin/config.ts";
import {
  asText,
  alsoAuthenticates,
  withEntries,
  withReading,
  withStage,
  perStart,
  withRefusals,
} from "../../changes.ts";
import { failing, type Change, type Document, type Subject } from "../../subject.ts";

interface Reference {
  readonly source?: string;
  readonly id?: string;
}

const sourceOf = (reference: unknown): string =>
  typeof reference === "string" ? "inline" : String((reference as Reference | undefined)?.source);

/** A route's secret as written in the document. */
function writtenSecret(document: unknown, entryId: string, routeId: string): unknown {
  const { plugins } = document as {
    plugins: { entries: Record<string, { config: { routes: Record<string, { secret: unknown }> } }> };
  };
  return plugins.entries[entryId]?.config.routes[routeId]?.secret;
}

/** Changes the resolved secret of each route. `reference`: the secret as written in the document. */
const withSecrets = (change: (resolved: unknown, reference: unknown) => unknown): Change => ({
  api: (api, { document }) => {
    const { routes = {}, ...rest } = api.pluginConfig as { routes?: Record<string, Record<string, unknown>> };
    const changed = Object.entries(routes).map(([id, entry]) => [
      id,
      { ...entry, secret: change(entry["secret"], writtenSecret(document, api.id, id)) },
    ]);
    return { ...api, pluginConfig: { ...rest, routes: Object.fromEntries(changed) as object } };
  },
});

/** Requests look up secrets of one source again when the known value is `keptMs` old. */
const lookedUp = (source: string, when: (snapshot: Secret) => boolean, keptMs = 0): Change =>
  perStart((origin) => {
    const { clock } = origin;
    const start = clock.now();
    const known = new Map<string, { secret: Secret; since: number }>();
    return withStage("authentication", async (exchange, right) => {
      const { context } = exchange;
      const { id, secret: snapshot } = context.route;
      const written = writtenSecret(origin.document, "webhooks", id);
      if (sourceOf(written) !== source || !when(snapshot)) return right();
      let found = known.get(id) ?? { secret: snapshot, since: start };
      if (clock.now() - found.since >= keptMs)
        found = { secret: await resolveNow(origin.document as Document, written, origin), since: clock.now() };
      known.set(id, found);
      const secretMatches = context.parts.createSecretCheck(found.secret);
      return right({ ...exchange, context: { ...context, secretMatches } });
    });
  });

/** Of a secret that is kept for a while, ms. */
const KEPT_MS = 60_000;

async function resolveNow(
  { secrets }: Document,
  secret: unknown,
  from: { configDir: string; env: NodeJS.ProcessEnv },
): Promise<Secret> {
  const document = { secrets, plugins: { entries: { now: { config: { routes: { now: { secret } } } } } } };
  const snapshot = await resolveSecrets(document as Parameters<typeof resolveSecrets>[0], from);
  return writtenSecret(snapshot.document, "now", "now") as Secret;
}

/** Cold routes only. */
const coldLetsIn = (lets: (presented: string | undefined, secret: object & Reference) => boolean): Change =>
  alsoAuthenticates(
    (_request, _secret, presented, { secret }) => typeof secret === "object" && lets(presented, secret),
  );

/** The refusal of a cold route is another one. */
const coldRefusal = (refuse: (right: Answer) => Answer): Change =>
  withRefusals(
    (refusal, { context }) => (typeof context.route.secret === "string" ? refusal : refuse(refusal)),
    "authentication",
  );

/** What becomes of the routes when some are cold. */
const besideCold = (change: (routes: Route[], cold: readonly Route[]) => Route[]): Change =>
  withReading((read, _entries, config) => {
    const routes = read(config);
    return change(
      routes,
      routes.filter(({ secret }) => typeof secret !== "string"),
    );
  });

const isWarm = (snapshot: Secret): boolean => typeof snapshot === "string";

/** A secret of this source never resolves. */
const unresolved = (source: string): Change =>
  withSecrets((resolved, reference) =>
    sourceOf(reference) === source && sourceOf(resolved) === "inline"
      ? { source: source === "inline" ? "env" : source, provider: "default", id: "unknown" }
      : resolved,
  );

export const secrets: readonly Subject[] = [
  ...["inline", "env", "file", "exec", "store"].flatMap((source) =>
    failing(`SECRET-${source.toUpperCase()}`, {
      [`Secrets of source ${source} are not resolved`]: unresolved(source),
    }),
  ),
  ...["file", "exec", "store"].flatMap((source) => [
    ...failing(`SECRET-SNAPSHOT-${source.toUpperCase()}`, {
      [`Secrets of source ${source} are resolved again for every request`]: lookedUp(source, isWarm),
      [`Secrets of source ${source} are kept for a minute, then resolved again by the next request`]: lookedUp(
        source,
        isWarm,
        KEPT_MS,
      ),
    }),
    ...failing("SECRET-COLD-CLOSED", coldLetsIn, {
      [`Where the source ${source} holds nothing the text undefined is taken for the secret`]: (presented, secret) =>
        sourceOf(secret) === source && presented === "undefined",
    }),
  ]),
  ...failing("SECRET-SNAPSHOT-COLD-FILE", {
    "A secret file that was missing at start-up is looked for again at every request": lookedUp(
      "file",
      (snapshot) => !isWarm(snapshot),
    ),
  }),
  ...failing("SECRET-COLD-CLOSED", coldLetsIn, {
    "A route whose secret could not be resolved lets in who sends none": (presented = "") => presented === "",
    "A SecretRef that was not resolved is compared as the text [object Object]": (presented, secret) =>
      presented === asText(secret),
    "Where a variable is missing its name is taken for the secret": (presented, { id }) => presented === id,
    "A variable that is not there stays in the secret as the shell writes it: `$NAME`": (presented, { id }) =>
      presented === `$${id}`,
  }),
  ...failing("SECRET-COLD-CLOSED", {
    "Of the routes whose secret could not be resolved those with a path of their own are not registered": withEntries(
      (entry) => (typeof entry["secret"] !== "string" && entry["path"] !== undefined ? undefined : entry),
    ),
  }),
  ...failing(["SECRET-COLD-REGISTERED", "SECRET-COLD-CLOSED"], {
    "A route whose secret could not be resolved ends in an internal error": coldRefusal(() => {
      throw new TypeError("secret.trim is not a function");
    }),
  }),
  ...failing("SECRET-COLD-GENERIC", coldRefusal, {
    "The 401 of a route whose secret could not be resolved says so": () =>
      reject("unauthorized", { error: "The secret of this route is not configured." }),
    "The 401 of a route without its secret has a challenge of its own, so strangers see which are cold": (right) => ({
      ...right,
      headers: { ...right.headers, "WWW-Authenticate": 'Bearer realm="inactive"' },
    }),
  }),
  ...failing(["SECRET-COLD-OTHERS", "SECRET-COLD-CLOSED"], besideCold, {
    "The gateway does not start when one route's secret cannot be resolved": (routes, [cold]) => {
      if (cold !== undefined) throw new Error(`the secret of route ${cold.id} could not be resolved`);
      return routes;
    },
  }),
  ...failing("SECRET-COLD-OTHERS", besideCold, {
    "A secret that cannot be resolved leaves every route of its session inactive": (routes, cold) =>
      routes.map((route) => {
        const secret = cold.find(({ sessionKey }) => sessionKey === route.sessionKey)?.secret ?? route.secret;
        return { ...route, secret };
      }),
  }),
  ...failing("SECRET-COLD-RESTART", {
    "A reference that could not be resolved once is not tried again after a restart": withSecrets(
      (resolved, reference) => ((reference as Reference).id === "WEBHOOKS_SECRET_COLD" ? reference : resolved),
    ),
  }),
];
