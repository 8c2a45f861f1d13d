/** A small gateway process: one plugin, its configuration and secrets, exact routes, HTTP on a loopback port. */
import { once } from "node:events";
import type { Server } from "node:http";
import type { Clock, GatewayApi, HttpRoute, Logger } from "../plugin/ports.ts";
import { checkDocument, type GatewayDocument } from "./document.ts";
import { codeOf, messageOf, StartError, toldOf } from "./errors.ts";
import { httpServer } from "./http-server.ts";
import { createLog } from "./log.ts";
import type { ManagedFlowsFake } from "./managed-flows.ts";
import { printingFor } from "./printed.ts";
import { addRoute, answerRequest, type Routes } from "./routing.ts";
import { resolveSecrets } from "./secrets.ts";

/** What the gateway needs of a plugin. */
export interface LoadablePlugin {
  readonly id: string;
  // Unknown: some plugins return a promise; it is awaited.
  register(api: GatewayApi): unknown;
}

export interface GatewayOptions {
  /** The parsed configuration document. */
  document: unknown;
  /** The folder that relative paths of the `secrets` settings start from. */
  configDir: string;
  plugin: LoadablePlugin;
  /** The plugin's key under `plugins.entries`; its id by default. */
  entryId?: string | undefined;
  /** Dates the log's lines. */
  clock: Clock;
  flows: ManagedFlowsFake;
  /** 0 takes a free port. */
  port: number;
  /** What secrets of source `env` are read from. Default the process's environment. */
  env?: NodeJS.ProcessEnv;
  /** The environment of the commands of `exec` secrets. Default `env`. */
  commandEnv?: NodeJS.ProcessEnv | undefined;
  /** Also gets each log line; default stderr. */
  log?: (line: string) => void;
}

export interface Gateway {
  readonly port: number;
  readonly url: string;
  /** Takes a new snapshot of the document. When that fails, rejects and keeps the old routes. */
  reload(document: unknown): Promise<void>;
  /** Stops listening and ends every open connection. */
  close(): Promise<void>;
  /** The last 1,000 log lines, oldest first. */
  readonly logs: () => string[];
}

/**
 * Loads the plugin under its key in `plugins.entries` and serves its routes. Rejects with StartError when the
 * document is wrong, `register` throws or the port is not available.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const write = options.log ?? ((line: string) => process.stderr.write(`${line}\n`));
  const { logger, lines } = createLog(options.clock, write);

  let routes = await register(checkDocument(options.document), options, logger);

  const server = httpServer((request, response) => {
    printingFor(request.socket.remoteAddress, () => void answerRequest(routes, request, response, logger));
  });
  const port = await listen(server, options.port);

  let reloaded = Promise.resolve();
  const reload = async (next: unknown, previous: Promise<void>): Promise<void> => {
    // One at a time, so that the last reload requested is the one that takes effect.
    await previous.catch(() => undefined);
    try {
      routes = await register(checkDocument(next), options, logger);
      logger.info(`reloaded: ${routes.size} routes`);
    } catch (error) {
      logger.error(`reload failed, the old routes stay: ${messageOf(error)}`);
      throw error;
    }
  };

  return {
    port,
    url: `http://127.0.0.1:${port}`,
    reload: (next) => {
      reloaded = reload(next, reloaded);
      return reloaded;
    },
    close: () => closeServer(server),
    logs: lines,
  };
}

/** Registers the plugin with a new snapshot of the document; gives the routes that it asks for. */
async function register(document: GatewayDocument, options: GatewayOptions, logger: Required<Logger>): Promise<Routes> {
  const { plugin, entryId = plugin.id, configDir, flows, env = process.env, commandEnv } = options;
  const snapshot = await resolveSecrets(document, { configDir, env, commandEnv });
  for (const { entryId, routeId, source } of snapshot.failures) {
    logger.warn(`the secret of route ${routeId} of ${entryId} cannot be resolved (source ${source})`);
  }
  const routes: Routes = new Map();
  const entries = snapshot.document.plugins?.entries ?? {};
  const entry = Object.hasOwn(entries, entryId) ? entries[entryId] : undefined;
  if (entry === undefined || entry.enabled === false) {
    logger.info(`plugin ${plugin.id} is not enabled: it has no routes`);
    return routes;
  }
  const api = {
    id: plugin.id,
    config: snapshot.document,
    pluginConfig: entry.config ?? {},
    logger,
    runtime: { tasks: { managedFlows: flows.runtime, async: { managedFlows: flows.asyncRuntime } } },
    registerHttpRoute: (route: HttpRoute) => addRoute(routes, route),
  };
  try {
    await plugin.register(api);
  } catch (error) {
    const told = error instanceof StartError ? error.message : toldOf(error);
    throw new StartError(`Plugin ${plugin.id} could not be registered: ${told}`, { cause: error });
  }
  return routes;
}

/** Listens on a loopback address and resolves to the port. Rejects with StartError when the port is in use or not allowed. */
export async function listen(server: Server, port: number, host = "127.0.0.1"): Promise<number> {
  try {
    await once(server.listen(port, host), "listening");
  } catch (error) {
    const code = codeOf(error);
    const inUse = `Port ${port} is in use: stop what listens there (lsof -i :${port} names it) or choose another port (0 takes a free one).`;
    throw new StartError(code === "EADDRINUSE" ? inUse : `Cannot listen on port ${port}: ${code}.`, { cause: error });
  }
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

/** Stops listening and ends every open connection; resolves once all are gone. */
export async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
