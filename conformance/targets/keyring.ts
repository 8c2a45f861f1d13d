/** The secrets and session keys of one run. */
import { createHash, randomBytes } from "node:crypto";
import type { Secret } from "../http/redact.ts";
import type { Likeness, StandardRoute } from "./standard-routes.ts";
import { variants, type Variant } from "./variants.ts";

/** Every value that must not appear in an answer, and every secret that must not appear in a report. */
export interface Keyring {
  /** Stands in each of this run's session keys, and makes them differ from those of other runs. */
  readonly run: string;
  /** Stands in each of this run's secrets. */
  readonly mark: string;
  /** What each call of the target's control port carries. */
  readonly controlToken: string;
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
  // Long enough to expose a target that keeps 64 characters of a key: both names would be one session.
  "part-one": (name) => `${name}:${"part-".repeat(10)}one`,
  "part-two": (name) => `${name}:${"part-".repeat(10)}two`,
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
  const secrets = new Map<string, string>();
  return {
    run,
    mark,
    controlToken: known?.controlToken ?? randomBytes(SECRET_BYTES).toString("hex"),
    secretOf(route) {
      const key = route.changed === true ? `${route.id}, changed` : route.id;
      let secret = secrets.get(key);
      if (secret === undefined) {
        secret = known?.secretOf(route) ?? freshSecret(route, mark);
        secrets.set(key, secret);
      }
      return secret;
    },
    sessionKeyOf(session, likeness) {
      const name = `session-${session}-${run}`;
      return pattern.replaceAll("{name}", likeness === undefined ? name : alikeTo[likeness](name));
    },
  };
}

/** Every secret of a run, with the variable that replaces it in output. */
export function secretsOf(keyring: Keyring): Secret[] {
  return [...routeSecretsOf(keyring), { value: keyring.controlToken, variable: CONTROL_TOKEN }];
}

export function routeSecretsOf(keyring: Keyring): Secret[] {
  const routes = Object.values(variants).flatMap((variant: Variant) => variant.routes);
  return routes.map((route) => ({ value: keyring.secretOf(route), variable: variableOf(route) }));
}

/** The variable of a route's secret: `WEBHOOKS_SECRET_LANE_01`. */
export function variableOf(route: StandardRoute): string {
  return `WEBHOOKS_SECRET_${route.id.toUpperCase().replaceAll(/[^A-Z0-9]/g, "_")}`;
}
