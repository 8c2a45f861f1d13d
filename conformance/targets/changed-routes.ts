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
  "a missing secret": { id: "changed-cold", session: "changed", secret: "cold" },
  "a secret that goes": { id: "changed-gone", session: "changed", secret: "env" },
  "enabled: false": { id: "changed-off", session: "changed", secret: "env" },
  "enabled: true": { id: "changed-on", session: "changed", secret: "env", enabled: false },
} as const satisfies Record<string, StandardRoute>;

export const afterChange: Readonly<Record<keyof typeof beforeChange, StandardRoute>> = {
  "the inline secret": { ...beforeChange["the inline secret"], changed: true },
  "the variable of the secret": { ...beforeChange["the variable of the secret"], changed: true },
  "the file of the secret": { ...beforeChange["the file of the secret"], changed: true },
  "the secret of the command": { ...beforeChange["the secret of the command"], changed: true },
  "the secret in the store": { ...beforeChange["the secret in the store"], changed: true },
  "the path": { ...beforeChange["the path"], path: "/hooks/changed-again" },
  "the sessionKey": { ...beforeChange["the sessionKey"], session: "changed-later" },
  "the controllerId": { ...beforeChange["the controllerId"], controllerId: "conformance/second" },
  "a missing secret": { ...beforeChange["a missing secret"], secret: "env" },
  "a secret that goes": { ...beforeChange["a secret that goes"], secret: "cold" },
  "enabled: false": { ...beforeChange["enabled: false"], enabled: false },
  "enabled: true": { ...beforeChange["enabled: true"], enabled: true },
};
