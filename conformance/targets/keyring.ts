/** The secrets and session keys of one run. */
import { createHash, randomBytes } from "node:crypto";
import type { Secret } from "../http/redact.ts";
import type { Likeness, StandardRoute } from "./standard-routes.ts";

/** Every value that must not appear in an answer, and every secret that must not appear in a report. */
export interface Keyring {
  /** Stands in each of this run's session keys, and makes them differ from those of other runs. */
  readonly run: string;
  /** Stands in each of this run's secrets. */
  readonly mark: string;
  /** What each call of the target's control port carries. */
  readonly controlToken: string;
  /** Every secret so far, with the variable that replaces it in output. */
  readonly secrets: Iterable<Secret>;
  secretOf(route: StandardRoute): string;
  sessionKeyOf(session: string, likeness?: Likeness): string;
}

/** The variable that hands the target its control port's token: an argument would show it to every user of the machine. */
export const CONTROL_TOKEN = "WEBHOOKS_CONTROL_TOKEN";
/** With the marks a secret is long enough to expose a comparison that stops after 64 or 72 characters. */
const SECRET_BYTES = 33;

/** The mark stands at both ends, so that a part of a secret shows as well. */
const freshSecret = ({ allCharacters, secretWith = "" }: StandardRoute, mark: string): string => {
  const bytes = randomBytes(SECRET_BYTES);
  // A bearer token may have `=` at its end only (RFC 6750): base64 of 33 bytes has none, so that these are the only ones.
  if (allCharacters === true) return `whsec-._~+/${mark}${bytes.toString("base64")}${mark}==`;
  return `whsec-${mark}${secretWith}${bytes.toString("hex", 1)}${mark}`;
};

const alikeTo: Readonly<Record<Likeness, (name: string) => string>> = {
  longer: (name) => `${name}-longer`,
  // The same behind its last colon, and the same by letters and digits.
  "other-front": (name) => `front:${name}`,
  "other-signs": (name) => name.replaceAll("-", "_"),
  capitals: (name) => name.toUpperCase(),
  // Long enough to expose a target that keeps 64 characters of a key, or three parts: both names would be one session.
  "part-one": (name) => `${name}:one:of:${"part-".repeat(10)}one`,
  "part-two": (name) => `${name}:one:of:${"part-".repeat(10)}two`,
};

interface KnownKeys extends Pick<Keyring, "run"> {
  readonly controlToken: string | undefined;
  secretOf(route: StandardRoute): string | undefined;
}

/**
 * Random secrets and session keys for one run, except `known` ones. Reports and answers are searched for them, so none
 * may be a word that occurs elsewhere. `pattern`: the target file's `config.sessionKey`.
 */
export function freshKeyring(pattern: string, known?: KnownKeys): Keyring {
  const run = known?.run ?? randomBytes(8).toString("hex");
  // Of the run, so that a later run on the same target knows it, and not the run's own name: that is no secret.
  const mark = createHash("sha256").update(`secrets of ${run}`).digest("hex").slice(0, 16);
  const controlToken = known?.controlToken ?? randomBytes(SECRET_BYTES).toString("hex");
  const secrets = new Map<string, Secret>([["", { value: controlToken, variable: CONTROL_TOKEN }]]);
  return {
    run,
    mark,
    controlToken,
    secrets: { [Symbol.iterator]: () => secrets.values() },
    secretOf(route) {
      const id = route.secretOf ?? route.id;
      const key = route.changed === true ? `${id}, changed` : id;
      const secret = secrets.get(key);
      if (secret !== undefined) return secret.value;
      const value = known?.secretOf(route) ?? freshSecret(route, mark);
      secrets.set(key, { value, variable: variableOf(route) });
      return value;
    },
    sessionKeyOf(session, likeness) {
      const name = `session-${session}-${run}`;
      return pattern.replaceAll("{name}", likeness === undefined ? name : alikeTo[likeness](name));
    },
  };
}

/** The variable of a route's secret: `WEBHOOKS_SECRET_LANE_01`. */
export function variableOf({ id, secretOf = id }: StandardRoute): string {
  return `WEBHOOKS_SECRET_${secretOf.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;
}
