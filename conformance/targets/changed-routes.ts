/** Routes of one configuration and the same ones in the next, which a running target loads. */
import type { StandardRoute } from "./standard-routes.ts";

/** Routes of which one field is changed by the next configuration, and those that come and go; each by what changes. */
export const beforeChange = {
  "the inline secret": { id: "changed-inline", session: "changed", secret: "inline" },
  "the variable of the secret": { id: "changed-env", session: "changed", secret: "env" },
  "the file of the secret": { id: "changed-file", session: "changed", secret: "file" },
  "the secret of the command": { id: "changed-exec", session: "changed", secret: "exec" },
  "the secret in the store": { id: "changed-store", session: "changed", secret: "store" },
  "the secret to that of the next route": { id: "changed-to-next", session: "changed", secret: "inline" },
  "the secret to that of the route before": { id: "changed-to-last", session: "changed", secret: "inline" },
  "the path": { id: "changed-path", path: "/hooks/changed", session: "changed", secret: "env" },
  "the sessionKey": { id: "changed-session", session: "changed", secret: "env" },
  "the controllerId": {
    id: "changed-controller",
    session: "changed",
    secret: "env",
    controllerId: "conformance/first",
  },
  "the path to its default": { id: "changed-pathless", path: "/hooks/gone", session: "changed", secret: "env" },
  "the controllerId to its default": {
    id: "changed-uncontrolled",
    session: "changed",
    secret: "env",
    controllerId: "conformance/gone",
  },
  "a missing secret": { id: "changed-cold", session: "changed", secret: "cold" },
  "a secret that goes": { id: "changed-gone", session: "changed", secret: "env" },
  "enabled: false": { id: "changed-off", session: "changed", secret: "env" },
  "enabled: true": { id: "changed-on", session: "changed", secret: "env", enabled: false },
  "enabled: false to its default": { id: "changed-default", session: "changed", secret: "env", enabled: false },
} as const satisfies Record<string, StandardRoute>;

/** Fields that the next configuration leaves to their default. */
const gone: { readonly [What in keyof typeof beforeChange]?: string } = {
  "the path to its default": "path",
  "the controllerId to its default": "controllerId",
  "enabled: false to its default": "enabled",
};

/** What changes in those whose secret stays in its place. */
const changes: { readonly [What in keyof typeof beforeChange]?: Partial<StandardRoute> } = {
  "the secret to that of the next route": { secretOf: "changed-to-last" },
  "the secret to that of the route before": { secretOf: "changed-to-next" },
  "the path": { path: "/hooks/changed-again" },
  "the sessionKey": { session: "changed-later" },
  "the controllerId": { controllerId: "conformance/second" },
  "a missing secret": { secret: "env" },
  "a secret that goes": { secret: "cold" },
  "enabled: false": { enabled: false },
  "enabled: true": { enabled: true },
};

type Change = keyof typeof beforeChange;
const all = Object.keys(beforeChange) as Change[];

/** What the next configuration sets: another secret where nothing else is said. */
const changeOf = (what: Change): Partial<StandardRoute> =>
  changes[what] ?? (gone[what] === undefined ? { changed: true } : {});

function changed(what: Change): StandardRoute {
  const left = Object.entries(beforeChange[what]).filter(([field]) => field !== gone[what]);
  return { ...(Object.fromEntries(left) as unknown as StandardRoute), ...changeOf(what) };
}

export const afterChange = all.map(changed);

/** Whether a secret is what changes. */
export const isOfSecret = (what: Change): boolean =>
  Object.keys(changeOf(what)).some((field) => ["changed", "secret", "secretOf"].includes(field));

/** Only secrets change: whoever looks at the other fields sees the same configuration. */
export const otherSecrets = all.map((what): StandardRoute => (isOfSecret(what) ? changed(what) : beforeChange[what]));
