/** Values that must not leave the target: what its answers and its log are searched for. */
import { randomUUID } from "node:crypto";
import { perObject } from "../foundation/per-object.ts";
import { createFlow } from "../interface/bodies.ts";
import { withHeader, withoutSecret, withPath, type Request } from "../interface/request.ts";
import type { ConfiguredRoute } from "../targets/configuration.ts";
import type { Server } from "../targets/server.ts";
import type { Answer } from "../http/exchange.ts";
import { perServer } from "../targets/per-server.ts";
import { operatorNote } from "../targets/standard-routes.ts";
import { searchFor, textsOf, type Canary } from "./finder.ts";
import type { Trial } from "./trial.ts";

/** Prefix of every child session key that the kit invents. */
export const CHILD_MARK = "child-canary-";
export const newChildKey = (): string => `${CHILD_MARK}${randomUUID()}`;
export const CHILD_KEY = "a child's session key";
export const DESCRIPTION = "a route's description";
export const SECRET = "a secret";
/** Characters of a secret's end; a shorter one could be the end of a random id. */
const END = 12;

/** Session keys, and whatever the control port planted in owner and requester fields. */
export function metadataOf({ configuration: { marks, routes }, control }: Server): Canary[] {
  const keys = new Set([...routes.values()].map(({ sessionKey }) => sessionKey));
  return [
    { name: "a session key", value: marks.sessionKey },
    ...[...keys].map((value): Canary => ({ name: "a digest of a session key", value, digest: true })),
    { name: CHILD_KEY, value: CHILD_MARK },
    ...(control?.canaries ?? []).map((value) => ({ name: "owner or requester metadata", value })),
  ];
}

/** Both ends of every secret; a secret that somebody else made is looked for as a whole. */
export function secretsOf({ configuration: { marks, routes } }: Server): Canary[] {
  const others = [...routes.values()].map(({ secret }) => secret).filter((secret) => !secret.includes(marks.secret));
  const whole = others.filter(({ length }) => length >= END);
  const values = [`whsec-${marks.secret.slice(0, 8)}`, marks.secret.slice(-END), ...whole];
  return values.map((value) => ({ name: SECRET, value }));
}

/** Size of the cache of texts without a leak: headers and refusals repeat in most answers. */
const MAX_CLEAN = 1000;

/** The values that no answer of a server may hold. Each answer is searched once, however many cases ask. */
export const keptBy = perServer((server) => {
  const note = { name: DESCRIPTION, value: operatorNote };
  const search = searchFor([...metadataOf(server), note, ...secretsOf(server)]);
  const clean = new Set<string>();
  const searched = (answer: Answer): readonly Canary[] => {
    const texts = textsOf(answer).filter((text) => !clean.has(text));
    const held = texts.length === 0 ? [] : search(texts.join("\n"));
    if (held.length > 0 || clean.size >= MAX_CLEAN) return held;
    for (const text of answer.status < 400 ? texts.slice(0, -1) : texts) if (text.length < 500) clean.add(text);
    return held;
  };
  return { search, heldBy: perObject(searched) };
});

/** Requests with the secret where it does not belong: a careless answer repeats it, and so does a careless log. */
export function misplacedSecrets(trial: Trial, route: ConfiguredRoute): Request[] {
  const right = trial.right(createFlow(), route);
  const { secret, path } = route;
  return [
    withHeader(right, "authorization", `Token ${secret}`),
    withPath(withoutSecret(right), `${path}?secret=${secret}`),
    trial.right({ action: secret }, route),
    trial.right({ ...createFlow(), [secret]: 1 }, route),
  ];
}
