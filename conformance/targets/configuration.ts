/** What a target is configured with. */
import { CONTROL_TOKEN } from "./keyring.ts";

/** A configured route as a case uses it. The secret leaves the process only in a header to the target. */
export interface ConfiguredRoute {
  readonly id: string;
  readonly path: string;
  readonly sessionKey: string;
  /** As it is configured, or the default. */
  readonly controllerId: string;
  readonly secret: string;
  /** The name of the environment variable that holds the secret in `secrets.env` and in printed curl lines. */
  readonly variable: string;
}

export interface Configuration {
  readonly document: Record<string, unknown>;
  /** Variables for the target's process: the secrets of `env` routes. */
  readonly environment: Record<string, string>;
  readonly controlToken: string;
  /** Variables that must not be there: those of cold routes. */
  readonly absent: readonly string[];
  readonly files: ReadonlyMap<string, string>;
  readonly routes: ReadonlyMap<string, ConfiguredRoute>;
  /** Ids of the routes that every target serves with this configuration: none is disabled, none is bad. */
  readonly served: ReadonlySet<string>;
  readonly marks: Marks;
}

/** Texts that stand in all session keys, and in all secrets, of one run: where one of them is seen, so is a key or a secret. */
export interface Marks {
  readonly sessionKey: string;
  /** The end of every secret, and the beginning of most. */
  readonly secret: string;
}

/**
 * The environment of a target's process: `base` with the secrets of `env` routes and the control port's token, without the
 * secrets of cold ones.
 */
export function environmentOf(of: Configuration, base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { environment, controlToken, absent } = of;
  const env: NodeJS.ProcessEnv = { ...base, ...environment, [CONTROL_TOKEN]: controlToken };
  for (const name of absent) delete env[name];
  return env;
}
