/** A `node:http` handler as a target: what it is made from, and how it answers one request. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { messageOf } from "../foundation/message-of.ts";
import { environmentOf, type Configuration } from "./configuration.ts";

/** What a handler is made from: a gateway's share of the work, done. */
export interface HandlerSetup {
  /**
   * The plugin entry's `config`, `{ routes }`, as a gateway hands it to a plugin: a SecretRef of source `env` that
   * resolves is the string, one that does not is still the object.
   */
  readonly config: { readonly routes: Readonly<Record<string, Record<string, unknown>>> };
  /** The plugin entry's own `enabled`. */
  readonly enabled: boolean;
  /** The whole configuration document, SecretRefs unresolved. */
  readonly document: Readonly<Record<string, unknown>>;
  /** The environment that SecretRefs of source `env` are resolved in. */
  readonly env: NodeJS.ProcessEnv;
  /** A new folder for the target's state, removed at its stop; only the configuration and secret files are in it. */
  readonly stateDir: string;
}

/** Answers a request; `false` when it did not (then the kit answers 404, as a gateway does for an unknown path). */
export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Makes a handler for one configuration. It is called again for each configuration that the suite tries, sometimes
 * while others still serve, so a handler keeps its state to itself. A throw refuses the configuration.
 */
export type HandlerFactory = (setup: HandlerSetup) => Handler | Promise<Handler>;

/** Does what a gateway does before it loads a plugin: takes its entry and resolves the secrets. */
export function handlerSetup(configuration: Configuration, entryId: string, stateDir: string): HandlerSetup {
  const { document } = configuration;
  const env = environmentOf(configuration, process.env);
  const { plugins } = document as { plugins: { entries: Record<string, HandlerSetup> } };
  const { enabled, config } = structuredClone(plugins.entries[entryId] as HandlerSetup);
  const routes = Object.fromEntries(
    Object.entries(config.routes).map(([id, route]) => [id, { ...route, ...resolvedSecret(route["secret"], env) }]),
  );
  return { config: { ...config, routes }, enabled, document, env, stateDir };
}

function resolvedSecret(secret: unknown, env: NodeJS.ProcessEnv): { secret?: string } {
  if (typeof secret !== "object" || secret === null) return {};
  const { source, id } = secret as { source?: unknown; id?: unknown };
  const value = source === "env" && typeof id === "string" ? env[id] : undefined;
  return value === undefined ? {} : { secret: value };
}

/** Lets a handler answer; what it throws becomes an opaque 500. */
export async function answer(
  handler: Handler,
  request: IncomingMessage,
  response: ServerResponse,
  log: (text: string) => void,
): Promise<void> {
  try {
    const answered = await handler(request, response);
    if (answered === false && !response.headersSent) response.writeHead(404).end();
  } catch (error) {
    log(`the handler threw: ${messageOf(error)}`);
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end();
  }
}
