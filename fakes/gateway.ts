/** A small gateway process: one plugin, its configuration and secrets, exact routes, HTTP on a loopback port. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Clock, GatewayApi, HttpRoute, Logger } from "../plugin/ports.ts";
import { checkDocument, type GatewayDocument } from "./document.ts";
import { codeOf, messageOf, StartError } from "./errors.ts";
import type { ManagedFlowsFake } from "./managed-flows.ts";
import { resolveSecrets } from "./secrets.ts";

const keptLines = 1_000;
const longestLine = 2_000;

/** What the gateway asks of a plugin, ours or a foreign one. */
export interface LoadablePlugin {
  readonly id: string;
  // A foreign plugin may answer with a promise; it is awaited.
  register(api: GatewayApi): unknown;
}

export interface GatewayOptions {
  /** The parsed configuration document. */
  document: unknown;
  /** The folder that relative paths of the `secrets` settings start from. */
  configDir: string;
  plugin: LoadablePlugin;
  /** Dates the log's lines. */
  clock: Clock;
  flows: ManagedFlowsFake;
  /** 0 takes a free port. */
  port: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Default the process's environment. */
  env?: NodeJS.ProcessEnv;
  /** Where log lines go beside the ring; default stderr. */
  log?: (line: string) => void;
}

export interface Gateway {
  readonly port: number;
  readonly url: string;
  /** Takes a new snapshot of the given or the last document. Rejects, and keeps what it has, when that fails. */
  reload(document?: unknown): Promise<void>;
  /** Stops listening and ends every open connection. */
  close(): Promise<void>;
  /** The last 1,000 log lines, oldest first. */
  readonly logs: () => string[];
}

type Routes = Map<string, HttpRoute>;

/**
 * Loads the plugin under `plugins.entries.<plugin.id>` and serves its routes. Rejects with StartError when the
 * document is wrong, `register` throws or the port is not to be had.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { plugin, configDir, clock, flows, env = process.env, host = "127.0.0.1" } = options;
  const write = options.log ?? ((line: string) => process.stderr.write(`${line}\n`));
  const lines: string[] = [];
  // Unknown: a foreign plugin may log anything.
  const log = (level: string, message: unknown): void => {
    // Control characters would let a request forge a line.
    const text = String(message).replaceAll(/\p{Cc}+/gu, " ");
    const line = `${new Date(clock.now()).toISOString()} ${level} ${text}`.slice(0, longestLine);
    lines.push(line);
    if (lines.length > keptLines) lines.shift();
    write(line);
  };
  const logger: Required<Logger> = {
    info: (message) => log("info", message),
    warn: (message) => log("warn", message),
    error: (message) => log("error", message),
  };

  const register = async (document: GatewayDocument): Promise<Routes> => {
    const snapshot = await resolveSecrets(document, { configDir, env });
    for (const { entryId, routeId, source } of snapshot.failures) {
      logger.warn(`the secret of route ${routeId} of ${entryId} cannot be resolved (source ${source})`);
    }
    const routes: Routes = new Map();
    const entry = snapshot.document.plugins?.entries?.[plugin.id];
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
      throw new StartError(`Plugin ${plugin.id} could not be registered: ${messageOf(error)}`, { cause: error });
    }
    return routes;
  };

  let document = checkDocument(options.document);
  let routes = await register(document);

  const server = createServer((request, response) => {
    void answer(routes, request, response, logger);
  });
  const port = await listen(server, options.port, host);

  let reloaded = Promise.resolve();
  const reload = async (next: unknown, previous: Promise<void>): Promise<void> => {
    // One at a time, so that the last one asked for is the one that stays.
    await previous.catch(() => undefined);
    try {
      const checked = checkDocument(next);
      routes = await register(checked);
      document = checked;
      logger.info(`reloaded: ${routes.size} routes`);
    } catch (error) {
      logger.error(`reload failed, the old routes stay: ${messageOf(error)}`);
      throw error;
    }
  };

  return {
    port,
    url: `http://${host}:${port}`,
    reload: (next = document) => {
      reloaded = reload(next, reloaded);
      return reloaded;
    },
    close: () => closeServer(server),
    logs: () => [...lines],
  };
}

function addRoute(routes: Routes, route: HttpRoute): void {
  const { path, replaceExisting } = route;
  const match: string = route.match;
  if (typeof path !== "string" || !path.startsWith("/")) throw new TypeError("a route's path must start with /");
  if (match !== "exact") throw new TypeError(`the route ${path} wants match ${match}: only exact is served here`);
  if (routes.has(path) && !replaceExisting) throw new Error(`the route ${path} exists already`);
  routes.set(path, route);
}

async function answer(
  routes: Routes,
  request: IncomingMessage,
  response: ServerResponse,
  logger: Required<Logger>,
): Promise<void> {
  try {
    const route = routes.get(pathOf(request.url ?? ""));
    const answered = route !== undefined && (await route.handler(request, response));
    if (!answered && !response.headersSent) plain(response, 404, "Not Found");
  } catch (error) {
    logger.error(`a handler threw: ${messageOf(error)}`);
    if (response.headersSent) response.destroy();
    else plain(response, 500, "Internal Server Error");
  }
}

/** The path as it was sent: normalising it would let one route be reached under several names. */
function pathOf(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?]*/i, "");
  const query = path.indexOf("?");
  return query === -1 ? path : path.slice(0, query);
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.statusCode = status;
  response.setHeader("content-type", "text/plain; charset=utf-8").end(`${text}\n`);
}

/** Starts to listen and gives the port. Rejects with StartError when the port is in use or not allowed. */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  try {
    await once(server.listen(port, host), "listening");
  } catch (error) {
    const code = codeOf(error);
    const inUse = `Port ${port} is in use: stop what listens there or choose another port.`;
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
