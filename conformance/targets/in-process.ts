/** A target inside this process: a `node:http` handler that the kit serves, or code that brings a server up itself. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Configuration } from "./configured.ts";
import { HOME_ADDRESS } from "./lanes.ts";
import type { Launch, Launched } from "./launched.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { checkTarget, type Target } from "./target-file.ts";

const TAIL_CHARACTERS = 8192;
/** Code of this process has been awaited already, so it is soon ready, ms. */
const READY_TIMEOUT_MS = 5000;

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

/** Checks the target's other fields and gives a target that `launch` brings up. Throws `UsageError`. */
export function launchedTarget(fields: Record<string, unknown>, launch: Launch): Target {
  const start = { command: ["in this process"], readyTimeoutMs: READY_TIMEOUT_MS };
  return { ...checkTarget({ start, ...fields }, process.cwd(), "the target"), launch };
}

/** Serves a handler on a free loopback port for as long as its configuration is judged. Throws `UsageError`. */
export function launchOfHandler(makeHandler: HandlerFactory, entryId: string): Launch {
  if (typeof makeHandler !== "function") throw new UsageError("the target's handler is no function");
  return async ({ configuration, stateDir }) => {
    let tail = "";
    const log = (text: string) => void (tail = `${tail}${text}\n`.slice(-TAIL_CHARACTERS));
    let handler: Handler;
    try {
      handler = await makeHandler(setupOf(configuration, entryId, stateDir));
    } catch (error) {
      return refusal(`the handler refused its configuration: ${textOf(error)}`);
    }
    const server = createServer((request, response) => void answer(handler, request, response, log));
    const port = await listen(server);
    return {
      origin: `http://${HOME_ADDRESS}:${port}`,
      ending: undefined,
      get stderrTail() {
        return tail;
      },
      stop: () => close(server),
    };
  };
}

function setupOf(configuration: Configuration, entryId: string, stateDir: string): HandlerSetup {
  const { document, environment, absent } = configuration;
  const env: NodeJS.ProcessEnv = { ...process.env, ...environment };
  for (const name of absent) delete env[name];
  const { plugins } = document as { plugins: { entries: Record<string, HandlerSetup> } };
  const { enabled, config } = structuredClone(plugins.entries[entryId] as HandlerSetup);
  const routes = Object.entries(config.routes).map(([id, route]) => [
    id,
    { ...route, ...resolved(route["secret"], env) },
  ]);
  return { config: { ...config, routes: Object.fromEntries(routes) as never }, enabled, document, env, stateDir };
}

function resolved(secret: unknown, env: NodeJS.ProcessEnv): { secret?: string } {
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
    log(`the handler threw: ${textOf(error)}`);
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end();
  }
}

/** Like a process that ended at its start; nothing listens on the discard port. */
function refusal(reason: string): Launched {
  return { origin: `http://${HOME_ADDRESS}:9`, ending: reason, stderrTail: reason, stop: async () => {} };
}

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, HOME_ADDRESS), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no TCP port could be had on 127.0.0.1");
  return address.port;
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
