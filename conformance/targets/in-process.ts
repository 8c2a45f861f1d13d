/** Targets inside this process: a handler that the kit serves over a socket, or code that brings a server up itself. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { messageOf } from "../foundation/message-of.ts";
import { tailOf } from "../foundation/tail.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { environmentOf, type Configuration } from "./configuration.ts";
import { HOME_ADDRESS } from "./lanes.ts";
import { refusedLaunch, type Launch } from "./launch.ts";
import { checkTarget, type Target } from "./target-file.ts";

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

/** `launch` has been awaited before readiness is probed, so this is short, ms. */
const READY_TIMEOUT_MS = 5000;

/** Checks the target's other fields and returns a target that `launch` brings up. Throws `UsageError`. */
export function inProcessTarget(fields: Record<string, unknown>, launch: Launch): Target {
  const start = { command: ["in this process"], readyTimeoutMs: READY_TIMEOUT_MS };
  return { ...checkTarget({ start, ...fields }, process.cwd(), "the target"), launch };
}

/** Serves a handler on a free loopback port for as long as its configuration is judged. Throws `UsageError`. */
export function launchOfHandler(makeHandler: HandlerFactory, entryId: string): Launch {
  if (typeof makeHandler !== "function") throw new UsageError("the target's handler is no function");
  return async ({ configuration, stateDir }) => {
    let tail = "";
    const log = (text: string) => void (tail = tailOf(`${tail}${text}\n`));
    let handler: Handler;
    try {
      handler = await makeHandler(handlerSetup(configuration, entryId, stateDir));
    } catch (error) {
      return refusedLaunch(`the handler refused its configuration: ${messageOf(error)}`);
    }
    const server = createServer((request, response) => void answer(handler, request, response, log));
    // The handler asks for a body by reading it; node:http would ask before the handler's checks.
    server.on("checkContinue", (request, response) => {
      const { _read: read } = request;
      request._read = (size) => {
        request._read = read;
        if (!response.headersSent && request.readableLength === 0) response.writeContinue();
        read.call(request, size);
      };
      void answer(handler, request, response, log);
    });
    await once(server.listen(0, HOME_ADDRESS), "listening");
    return {
      origin: `http://${HOME_ADDRESS}:${(server.address() as AddressInfo).port}`,
      ending: undefined,
      get stderrTail() {
        return tail;
      },
      async stop() {
        server.close();
        server.closeAllConnections();
        await once(server, "close");
      },
    };
  };
}

/** Does what a gateway does before it loads a plugin: takes its entry and resolves the secrets. */
function handlerSetup(configuration: Configuration, entryId: string, stateDir: string): HandlerSetup {
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
async function answer(
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
