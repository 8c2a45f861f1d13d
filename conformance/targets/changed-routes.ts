/** Routes of one configuration and the same ones in the next, which a running target loads. */
import type { StandardRoute } from "./standard-routes.ts";

/** Routes of which one field is changed by the next configuration, and those that come and go; each by what changes. */
export const beforeChange = {
  "the inline secret": { id: "changed-inline", session: "changed", secret: "inline" },
  "the variable of the secret": { id: "changed-env", session: "changed", secret: "env" },
  "the file of the secret": { id: "changed-file", session: "changed", secret: "file" },
  "the secret of the command": { id: "changed-exec", session: "changed", secret: "exec" },
  "the secret in the store": { id: "changed-store", session: "changed", secret: "store" },
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
  "the path": { path: "/hooks/changed-again" },
  "the sessionKey": { session: "changed-later" },
  "the controllerId": { controllerId: "conformance/second" },
  "a missing secret": { secret: "env" },
  "a secret that goes": { secret: "cold" },
  "enabled: false": { enabled: false },
  "enabled: true": { enabled: true },
};

export const afterChange = (Object.entries(beforeChange) as [keyof typeof beforeChange, StandardRoute][]).map(
  ([what, route]): StandardRoute => {
    const left = Object.entries(route).filter(([field]) => field !== gone[what]);
    const other = changes[what] ?? (gone[what] === undefined ? ({ changed: true } as const) : {});
    return { ...(Object.fromEntries(left) as unknown as StandardRoute), ...other };
  },
);

/** Whether the next configuration differs in this by nothing but a secret. */
export const isOfSecret = (what: keyof typeof beforeChange): boolean =>
  gone[what] === undefined && Object.keys(changes[what] ?? { secret: "changed" }).join() === "secret";

/** Only secrets change: whoever looks at the other fields sees the same configuration. */
export const otherSecrets = (Object.keys(beforeChange) as (keyof typeof beforeChange)[]).flatMap((what, place) =>
  isOfSecret(what) ? (afterChange[place] ?? []) : beforeChange[what],
);
