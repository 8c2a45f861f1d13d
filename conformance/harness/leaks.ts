/** Values that must not leave the target: what its log is searched for. */
import type { ConfiguredRoute } from "../targets/configuration.ts";
import type { Canary } from "./finder.ts";
import type { Trial } from "./trial.ts";

/** What every child's session key begins with that the kit makes up. */
export const CHILD_MARK = "child-canary-";

/** The part of a session key that the kit made: the rest of the target file's pattern may be a common text. */
function ownPart(trial: Trial, sessionKey: string): string {
  const [before = "", after = ""] = trial.instance.target.config.sessionKey.split("{name}");
  return sessionKey.slice(before.length, sessionKey.length - after.length);
}

export const digestsOf = (sessionKey: string): Canary => ({
  name: "a digest of a session key",
  value: sessionKey,
  digest: true,
});

/** Session keys of routes, and whatever the control port planted in owner and requester fields. */
export function metadataOfRoutes(trial: Trial, ...routes: ConfiguredRoute[]): Canary[] {
  const keys = new Set(routes.map((route) => ownPart(trial, route.sessionKey)));
  const canaries = trial.instance.control?.canaries ?? [];
  return [
    ...[...keys].map((value) => ({ name: "a session key", value })),
    ...[...new Set(routes.map(({ sessionKey }) => sessionKey))].map(digestsOf),
    ...canaries.map((value) => ({ name: "owner or requester metadata", value })),
  ];
}

/** Secrets of routes: whole, and parts too long to match by accident. */
export function secretsOfRoutes(...routes: ConfiguredRoute[]): Canary[] {
  return routes.flatMap(({ secret }) =>
    [secret, secret.slice(0, 16), secret.slice(-16)].map((value) => ({ name: "a secret", value })),
  );
}
