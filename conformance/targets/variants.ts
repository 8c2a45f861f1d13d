/**
 * Other configurations that some cases need, each a change of the standard one. A target may refuse a bad one by
 * exiting, or leave out just the bad route.
 */
import { afterChange, beforeChange, otherSecrets } from "./changed-routes.ts";
import { digits, letterSecret, oddIds, oddTexts, oneSecret, refusableIds } from "./odd-routes.ts";
import { specialRoutes, standardRoutes, type StandardRoute } from "./standard-routes.ts";

export interface Variant {
  readonly title: string;
  /** The plugin entry's own `enabled` is false. */
  readonly entryDisabled?: true;
  readonly routes: readonly StandardRoute[];
  /** The cold route's secret can be resolved. */
  readonly secretResolved?: true;
  /** A case has the target load another one meanwhile, so that none of the routes surely answers. */
  readonly isReplaced?: true;
  /** The target may refuse this configuration by exiting before it is ready. */
  readonly mayExit?: true;
}

const probe = specialRoutes.probe;

/** Two routes with one path, written out for both or the default of one. */
export const clashes = {
  duplicatePath: [
    { id: "first", path: "/hooks/duplicate", session: "first", secret: "env" },
    { id: "second", path: "/hooks/duplicate", session: "second", secret: "env" },
  ],
  duplicateDefaultPath: [
    { id: "first-by-default", session: "first", secret: "env" },
    { id: "second-by-path", path: "/plugins/webhooks/first-by-default", session: "second", secret: "env" },
  ],
} as const satisfies Record<string, readonly [StandardRoute, StandardRoute]>;

/** Routes of one configuration, each with its own fault; those that must refuse every request come first. */
export const severalBad = {
  noSessionKey: { id: "bad-session", session: "bad", secret: "env", written: { sessionKey: undefined } },
  noSecret: { id: "bad-secret", session: "bad", secret: "inline", written: { secret: undefined } },
} as const satisfies Record<string, StandardRoute>;

/** Two routes that a router may take for one. A target that refuses them may refuse the whole configuration. */
export const alikePaths = [
  { id: "lower", path: "/hooks/alike", session: "lower", secret: "env" },
  { id: "capital", path: "/hooks/Alike", session: "capital", secret: "env" },
] as const satisfies readonly StandardRoute[];

/** Routes with one field of a wrong type or form, and what code that does not look at it would take for the secret. */
export const wrongTypes: Readonly<
  Record<string, { readonly entry: Readonly<Record<string, unknown>>; readonly guesses: readonly string[] }>
> = {
  "secret-number": { entry: { secret: 424242 }, guesses: ["424242"] },
  "secret-true": { entry: { secret: true }, guesses: ["true", "1"] },
  "secret-list": { entry: { secret: ["listed"] }, guesses: ["listed"] },
  "secret-other-source": {
    entry: { secret: { source: "vault", provider: "default", id: "CONFORMANCE_KEY" } },
    guesses: ["CONFORMANCE_KEY", "vault"],
  },
  "secret-without-source": {
    entry: { secret: { provider: "default", id: "CONFORMANCE_KEY" } },
    guesses: ["CONFORMANCE_KEY"],
  },
  "secret-without-id": { entry: { secret: { source: "env", provider: "default" } }, guesses: ["undefined", "env"] },
  "secret-id-number": { entry: { secret: { source: "env", provider: "default", id: 7 } }, guesses: ["7"] },
  "session-number": { entry: { sessionKey: 424242 }, guesses: [] },
  "session-list": { entry: { sessionKey: ["listed"] }, guesses: [] },
};

/** Routes whose secret is empty or blank. */
export const emptySecrets = {
  empty: { id: "empty-secret", session: "bad", secret: "inline", holds: "" },
  blank: { id: "blank-secret", session: "bad", secret: "inline", holds: "   " },
  variable: { id: "empty-variable", session: "bad", secret: "env", holds: "" },
} as const satisfies Record<string, StandardRoute>;

/**
 * Two pairs of routes, one path below the other; the outer route comes first in one pair, second in the other. Two paths
 * of different sessions end alike.
 */
export const nested = [
  { id: "outer-first", path: "/hooks/above", session: "outer", secret: "env" },
  { id: "inner-second", path: "/hooks/above/below", session: "inner", secret: "env" },
  { id: "inner-first", path: "/hooks/over/above", session: "inner", secret: "env" },
  { id: "outer-second", path: "/hooks/over", session: "outer", secret: "env" },
] as const satisfies readonly StandardRoute[];

/** Two pairs of routes with one path, of which one is disabled: the second in one pair, the first in the other. */
export const disabledTwins = [
  { id: "twin-on", path: "/hooks/twin", session: "twin", secret: "env" },
  { id: "twin-off", path: "/hooks/twin", session: "twin", secret: "env", enabled: false },
  { id: "pair-off", path: "/hooks/pair", session: "pair", secret: "env", enabled: false },
  { id: "pair-on", path: "/hooks/pair", session: "pair", secret: "env" },
] as const satisfies readonly StandardRoute[];

/** Valid routes that have several fields of their own, or fields that look like those of another. */
export const pairedRoutes = [
  {
    id: "paired-all",
    path: "/hooks/paired",
    session: "paired",
    secret: "env",
    enabled: true,
    controllerId: "conformance/paired",
    description: '{"enabled":false,"path":"/hooks/described","controllerId":"conformance/described"}',
  },
  {
    id: "paired-path",
    path: "/hooks/paired-path",
    session: "paired",
    secret: "inline",
    controllerId: "conformance/paired-path",
  },
  { id: "paired-default", session: "paired", secret: "env", description: "path: /hooks/described" },
  { id: "paired-other", session: "paired", secret: "env", controllerId: "conformance/other" },
  { id: "crossed-one", path: "/hooks/crossed-two", session: "crossed-one", secret: "env" },
  { id: "crossed-two", path: "/hooks/crossed-one", session: "crossed-two", secret: "env" },
  { id: "moved", path: "/plugins/webhooks/moved-away", session: "moved", secret: "env" },
] as const satisfies readonly StandardRoute[];

export const pairedDisabled = {
  id: "paired-disabled",
  path: "/hooks/paired-disabled",
  session: "paired",
  secret: "env",
  enabled: false,
  controllerId: "conformance/disabled",
} as const satisfies StandardRoute;

/** Each in a route of its own: else a target that leaves out routes with unknown fields would hide a field that it honours. */
export const openFields = { auth: "none", public: true, allowAnonymous: true, authRequired: false } as const;

/** The id of the route that has such a field. */
export const openedBy = (field: string): string => `unknown-${field.toLowerCase()}`;

/** A configuration that a target may refuse by exiting. */
const refusable = (title: string, ...routes: readonly StandardRoute[]) =>
  ({ title, routes: [probe, ...routes], mayExit: true }) as const;

export const variants = {
  standard: { title: "the standard configuration", routes: standardRoutes },
  withoutCold: {
    title: "the standard configuration without routes whose secret cannot be resolved",
    routes: standardRoutes.filter(({ secret, missing }) => secret !== "cold" && missing !== true),
  },
  noRoutes: { title: "no routes configured", routes: [] },
  entryDisabled: { title: "the plugin entry disabled", entryDisabled: true, routes: [probe] },
  beforeChange: {
    title: "routes of which each is changed by the next configuration",
    routes: [probe, ...Object.values(beforeChange)],
    isReplaced: true,
  },
  otherSecrets: { title: "the same routes with other secrets", routes: [probe, ...otherSecrets] },
  afterChange: {
    title: "the same routes, each with one field changed",
    routes: [probe, ...afterChange],
  },
  // Both pairs: each configuration is another start.
  duplicatePath: refusable("two routes with one path", ...clashes.duplicatePath, ...clashes.duplicateDefaultPath),
  duplicateDefaultPath: refusable("a route whose path is the default path of another", ...clashes.duplicateDefaultPath),
  noSessionKey: refusable("a route without sessionKey", severalBad.noSessionKey),
  noSecret: refusable("a route without secret", severalBad.noSecret),
  emptySecret: refusable("routes whose secret is empty or blank", emptySecrets.empty, emptySecrets.blank),
  emptyVariable: refusable("a route whose secret's variable is empty", emptySecrets.variable),
  severalBad: refusable(
    "several bad routes",
    ...Object.values(severalBad),
    ...Object.entries(openFields).map(([field, value]): StandardRoute => {
      return { id: openedBy(field), session: "unknown", secret: "env", written: { [field]: value } };
    }),
  ),
  alikePaths: refusable("two routes whose paths differ in letter case", ...alikePaths),
  wrongTypes: refusable(
    "routes with a field of a wrong type",
    ...Object.entries(wrongTypes).map(([id, { entry }]): StandardRoute => {
      return { id, session: id, secret: "inline", written: entry };
    }),
  ),
  oddRoutes: refusable(
    "routes with unusual texts, two with one secret, and with paths of which some lie below others or are those of disabled routes",
    ...nested,
    ...disabledTwins,
    ...oddIds,
    digits,
    ...oneSecret,
    ...oddTexts,
    letterSecret,
  ),
  refusableIds: refusable("routes whose ids do not stand in a path as they are", ...refusableIds),
  pairedFields: {
    title: "routes that have several fields of their own, and the cold route's secret there",
    routes: [probe, ...pairedRoutes, pairedDisabled, specialRoutes.cold],
    secretResolved: true,
  },
} as const satisfies Readonly<Record<string, Variant>>;

export type VariantName = keyof typeof variants;
