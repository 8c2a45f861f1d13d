/** Section 5: where secrets come from, gone wrong. */
import { resolveSecrets } from "../../../../fakes/secrets.ts";
import { reject } from "../../../../plugin/answer.ts";
import type { Secret } from "../../../../plugin/config.ts";
import {
  asText,
  alsoAuthenticates,
  withEntries,
  withSecrets,
  withStage,
  writtenSecret,
  perStart,
} from "../../changes.ts";
import { subjectsOf, type Change, type Document, type Subject } from "../../subject.ts";

interface Reference {
  readonly source?: string;
  readonly id?: string;
}

const sourceOf = (reference: unknown): string =>
  typeof reference === "string" ? "inline" : String((reference as Reference | undefined)?.source);

const sources = ["inline", "env", "file", "exec", "store"] as const;

/** Secrets of one source never resolve. */
const unresolved: readonly Subject[] = sources.map((source) => ({
  id: `secret-${source}-unresolved`,
  bug: `Secrets of source ${source} are not resolved.`,
  kills: [`SECRET-${source.toUpperCase()}`],
  change: withSecrets((resolved, reference) =>
    sourceOf(reference) === source && sourceOf(resolved) === "inline"
      ? { source: source === "inline" ? "env" : source, provider: "default", id: "unknown" }
      : resolved,
  ),
}));

/** Requests look up secrets of one source again when the known value is `keptMs` old. */
const lookedUp = (source: string, when: (snapshot: Secret) => boolean, keptMs = 0): Change =>
  perStart((origin) => {
    const { clock } = origin;
    const start = clock.now();
    const known = new Map<string, { secret: Secret; since: number }>();
    return withStage("authentication", ({ run }) => async (exchange) => {
      const { context } = exchange;
      const { id, secret: snapshot } = context.route;
      const written = writtenSecret(origin.document, "webhooks", id);
      if (sourceOf(written) !== source || !when(snapshot)) return run(exchange);
      let found = known.get(id) ?? { secret: snapshot, since: start };
      if (clock.now() - found.since >= keptMs)
        found = { secret: await resolveNow(origin.document as Document, written, origin), since: clock.now() };
      known.set(id, found);
      const secretMatches = context.parts.createSecretCheck(found.secret);
      return run({ ...exchange, context: { ...context, secretMatches } });
    });
  });

async function resolveNow(
  { secrets }: Document,
  secret: unknown,
  from: { configDir: string; env: NodeJS.ProcessEnv },
): Promise<Secret> {
  const document = { secrets, plugins: { entries: { now: { config: { routes: { now: { secret } } } } } } };
  const snapshot = await resolveSecrets(document as Parameters<typeof resolveSecrets>[0], from);
  return writtenSecret(snapshot.document, "now", "now") as Secret;
}

const KEPT_MS = 60_000;

const perRequest: readonly Subject[] = (["file", "exec", "store"] as const).flatMap((source) => [
  {
    id: `secret-${source}-per-request`,
    bug: `Secrets of source ${source} are resolved again for every request.`,
    kills: [`SECRET-SNAPSHOT-${source.toUpperCase()}`],
    change: lookedUp(source, (snapshot) => typeof snapshot === "string"),
  },
  {
    id: `secret-${source}-kept-a-minute`,
    bug: `Secrets of source ${source} are kept for a minute, then resolved again by the next request.`,
    kills: [`SECRET-SNAPSHOT-${source.toUpperCase()}`],
    change: lookedUp(source, (snapshot) => typeof snapshot === "string", KEPT_MS),
  },
]);

/** Cold routes only. */
const coldAuthentication = (lets: (presented: string | undefined, secret: object) => boolean): Change =>
  alsoAuthenticates((_request, _secret, presented, route) => {
    return typeof route.secret === "object" && lets(presented, route.secret);
  });

/** An unresolved secret is compared as a string. */
const coldSources: readonly Subject[] = (["file", "exec", "store"] as const).map((source) => ({
  id: `secret-cold-${source}-undefined`,
  bug: `Where the source ${source} holds nothing the text undefined is taken for the secret.`,
  kills: ["SECRET-COLD-CLOSED"],
  change: coldAuthentication((presented, secret) => sourceOf(secret) === source && presented === "undefined"),
}));

export const secrets: readonly Subject[] = [
  ...unresolved,
  ...coldSources,
  ...perRequest,
  ...subjectsOf<Subject>({
    "secret-cold-file-per-request": {
      bug: "A secret file that was missing at start-up is looked for again at every request.",
      kills: ["SECRET-SNAPSHOT-COLD-FILE"],
      change: lookedUp("file", (snapshot) => typeof snapshot !== "string"),
    },
    "secret-cold-open": {
      bug: "A route whose secret could not be resolved lets in who sends none.",
      kills: ["SECRET-COLD-CLOSED"],
      change: coldAuthentication((presented = "") => presented === ""),
    },
    "secret-cold-any": {
      bug: "A route whose secret could not be resolved lets in who sends any.",
      kills: ["SECRET-COLD-CLOSED"],
      change: coldAuthentication((presented = "") => presented !== ""),
    },
    "secret-cold-object-text": {
      bug: "A SecretRef that was not resolved is compared as the text [object Object].",
      kills: ["SECRET-COLD-CLOSED"],
      change: coldAuthentication((presented, secret) => presented === asText(secret)),
    },
    "secret-cold-variable-name": {
      bug: "Where a variable is missing its name is taken for the secret.",
      kills: ["SECRET-COLD-CLOSED"],
      change: coldAuthentication((presented, secret) => presented === (secret as Reference).id),
    },
    "secret-cold-not-registered": {
      bug: "A route whose secret could not be resolved is not registered: the gateway answers 404.",
      kills: ["SECRET-COLD-REGISTERED", "SECRET-COLD-CLOSED"],
      change: withEntries((entry) => (typeof entry["secret"] === "string" ? entry : undefined)),
    },
    "secret-cold-path-not-registered": {
      bug: "Of the routes whose secret could not be resolved those with a path of their own are not registered.",
      kills: ["SECRET-COLD-CLOSED"],
      change: withEntries(({ secret, path, ...entry }) =>
        typeof secret !== "string" && path !== undefined ? undefined : { ...entry, secret, ...(path ? { path } : {}) },
      ),
    },
    "secret-cold-500": {
      bug: "A route whose secret could not be resolved ends in an internal error.",
      kills: ["SECRET-COLD-REGISTERED", "SECRET-COLD-CLOSED"],
      change: withStage("authentication", ({ run }) => (exchange) => {
        if (typeof exchange.context.route.secret !== "string") throw new TypeError("secret.trim is not a function");
        return run(exchange);
      }),
    },
    "secret-cold-told": {
      bug: "The 401 of a route whose secret could not be resolved says so.",
      kills: ["SECRET-COLD-GENERIC"],
      change: withStage("authentication", ({ run }) => (exchange) => {
        if (typeof exchange.context.route.secret === "string") return run(exchange);
        return reject("unauthorized", { error: "The secret of this route is not configured." });
      }),
    },
    "secret-cold-stops-start": {
      bug: "The gateway does not start when one route's secret cannot be resolved.",
      kills: ["SECRET-COLD-OTHERS", "SECRET-COLD-CLOSED"],
      change: {
        parts: (parts) => ({
          ...parts,
          readRoutes: (config) => {
            const routes = parts.readRoutes(config);
            const cold = routes.find(({ secret }) => typeof secret !== "string");
            if (cold !== undefined) throw new Error(`the secret of route ${cold.id} could not be resolved`);
            return routes;
          },
        }),
      },
    },
    "secret-cold-contagious": {
      bug: "A secret that cannot be resolved leaves every route of its session inactive.",
      kills: ["SECRET-COLD-OTHERS"],
      change: {
        parts: (parts) => ({
          ...parts,
          readRoutes: (config) => {
            const routes = parts.readRoutes(config);
            const cold = routes.filter(({ secret }) => typeof secret !== "string");
            const shared = (key: string) => cold.find(({ sessionKey }) => sessionKey === key);
            return routes.map((route) => ({ ...route, secret: shared(route.sessionKey)?.secret ?? route.secret }));
          },
        }),
      },
    },
    "secret-cold-for-ever": {
      bug: "A reference that could not be resolved once is not tried again after a restart.",
      kills: ["SECRET-COLD-RESTART"],
      change: withSecrets((resolved, reference) =>
        (reference as Reference).id === "WEBHOOKS_SECRET_COLD" ? reference : resolved,
      ),
    },
    "secret-cold-other-challenge": {
      bug: "The 401 of a route without its secret has a challenge of its own, so strangers see which routes are cold.",
      kills: ["SECRET-COLD-GENERIC"],
      change: withStage("authentication", ({ run }) => async (exchange) => {
        const outcome = await run(exchange);
        if (outcome === undefined || outcome === "aborted" || typeof exchange.context.route.secret === "string")
          return outcome;
        return { ...outcome, headers: { ...outcome.headers, "WWW-Authenticate": 'Bearer realm="inactive"' } };
      }),
    },
  }),
];
