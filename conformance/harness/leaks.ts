/** Values that must not leave the target, for the properties and for the log. */
import type { ConfiguredRoute } from "../targets/configuration.ts";
import { digestFinder, finderOf, readings, type Finder } from "./finder.ts";
import type { Trial } from "./trial.ts";

/** A value that must not appear, and what a failure calls it. */
export interface Canary {
  readonly name: string;
  readonly value: string;
  /** Only digests of it are looked for. */
  readonly digest?: true;
}

/** The part of a session key that the kit made: the rest of the target file's pattern may be a common text. */
function ownPart(trial: Trial, sessionKey: string): string {
  const [before = "", after = ""] = trial.instance.target.config.sessionKey.split("{name}");
  return sessionKey.slice(before.length, sessionKey.length - after.length);
}

/** A digest still identifies the flow's owner, and confirms a guessed session key. */
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

/** A cache: a property searches thousands of answers for the same values. */
const known = new WeakMap<Canary, Finder>();

function finderFor(canary: Canary): Finder {
  const found = known.get(canary);
  if (found !== undefined) return found;
  const finder = canary.digest === true ? digestFinder(canary.value) : finderOf(canary.value);
  known.set(canary, finder);
  return finder;
}

/** The first canary that a text holds, in any form. */
export function leakIn(text: string, canaries: readonly Canary[]): Canary | undefined {
  const all = readings(text);
  return canaries.find((canary) => finderFor(canary)(all));
}
