/** `serve`: the gateway as a process of its own, with its control port. */
import { once } from "node:events";
import { dirname, resolve } from "node:path";
import { installDrivenClock, systemClock } from "./clock.ts";
import { controlToken, startGatewayWithControl } from "./control.ts";
import { readDocument, type GatewayDocument } from "./document.ts";
import { isOfKit, messageOf, printable, StartError, toldOf } from "./errors.ts";
import { numberOf, readFlags, seeHelp } from "./flags.ts";
import type { LoadablePlugin } from "./gateway.ts";
import { loadPlugin } from "./load-plugin.ts";
import { documentOf, namedRoutes } from "./named-routes.ts";
import { keepPrinted } from "./printed.ts";
import { createManagedFlows, runtimeKinds, type RuntimeKind } from "./managed-flows.ts";
import { untilStopped } from "./until-stopped.ts";

export const flags = {
  config: { type: "string" },
  route: { type: "string", multiple: true },
  "secret-env": { type: "string", multiple: true },
  port: { type: "string" },
  "control-port": { type: "string" },
  plugin: { type: "string" },
  clock: { type: "string", default: "real" },
  runtime: { type: "string", default: "bare" },
  product: { type: "string", default: "service" },
} as const;

const SHORTEST_TOKEN = 16;
const NO_TOKEN =
  `--control-port needs a secret of ${SHORTEST_TOKEN} characters or more in ${controlToken}, as any user of this machine can reach it, ` +
  `such as: export ${controlToken}=$(openssl rand -hex 32)`;

export interface ServeOptions {
  /** The configuration document, or a JSON file with it; paths in it are relative to the file's folder, or to this one. */
  config: string | GatewayDocument;
  /** 0 takes a free port. */
  port: number;
  /** Opens the control port, which needs a token in the environment; 0 takes a free port. */
  controlPort?: number | undefined;
  /** A file, or an installed package, whose default export is the plugin. Default: the plugin of this kit. */
  plugin?: string | undefined;
  /** Default `real`; `driven` replaces Date and the timers of this process. */
  clock?: "real" | "driven" | undefined;
  /** What the plugin's runtime checks by itself. Default `bare`. */
  runtime?: RuntimeKind | undefined;
  /** Replaces `service` in `x-service-webhook-secret`; for the kit's own plugin only. */
  product?: string | undefined;
  /** Default the process's environment. */
  env?: NodeJS.ProcessEnv | undefined;
  /** Where log lines go; default stderr. */
  log?: ((line: string) => void) | undefined;
}

export interface Running {
  readonly port: number;
  readonly url: string;
  readonly controlUrl: string | undefined;
  /** Reads the configuration file again. When that fails, rejects and keeps the old routes. */
  readonly reload: () => Promise<void>;
  /** Ends every connection and restores the real clock. */
  readonly close: () => Promise<void>;
}

/** Starts the gateway and its control port on 127.0.0.1. Rejects with StartError for any mistake of the caller. */
export async function serve(options: ServeOptions): Promise<Running> {
  const token = (options.env ?? process.env)[controlToken] ?? "";
  if (options.controlPort !== undefined && token.length < SHORTEST_TOKEN) throw new StartError(NO_TOKEN);
  const { config } = options;
  const read = async () => (typeof config === "string" ? readDocument(config) : config);
  const document = await read();
  // Installed before the plugin is loaded, whose module may keep references to the timers.
  const drivenClock = options.clock === "driven" ? installDrivenClock() : undefined;
  try {
    const plugin = options.plugin === undefined ? await ownPlugin(options.product) : await loadPlugin(options.plugin);
    const { gateway, control, close } = await startGatewayWithControl({
      document,
      configDir: typeof config === "string" ? dirname(resolve(config)) : process.cwd(),
      plugin,
      entryId: entryOf(plugin, document),
      clock: systemClock,
      flows: createManagedFlows({ clock: systemClock, ...(options.runtime && { kind: options.runtime }) }),
      port: options.port,
      controlPort: options.controlPort,
      drivenClock,
      readAgain: read,
      ...(options.env && { env: options.env }),
      ...(options.log && { log: options.log }),
    });
    return {
      port: gateway.port,
      url: gateway.url,
      controlUrl: control?.url,
      reload: async () => gateway.reload(await read()),
      close: async () => {
        await close();
        drivenClock?.uninstall();
      },
    };
  } catch (error) {
    drivenClock?.uninstall();
    throw error;
  }
}

/** The plugin's own entry; where there is one for another id only, that is meant for it. */
function entryOf({ id }: LoadablePlugin, { plugins }: GatewayDocument): string {
  const [only = id, ...more] = Object.keys(plugins?.entries ?? {});
  return more.length === 0 ? only : id;
}

async function ownPlugin(product = "service"): Promise<LoadablePlugin> {
  const { createWebhooksPlugin } = await import("../plugin/index.ts");
  return createWebhooksPlugin({ clock: systemClock, product });
}

export function parseServeArgs(args: string[]): ServeOptions {
  const values = readFlags(args, flags);
  const { plugin, product, clock, route, "control-port": controlPort } = values;
  const named = route && documentOf(namedRoutes(route, values["secret-env"] ?? [], process.env));
  const config = values.config ?? named;
  if (config === undefined)
    throw new StartError(`--config FILE is missing (or --route ID --secret-env NAME) ${seeHelp}.`);
  if (values.config !== undefined && named !== undefined)
    throw new StartError(`--config and --route exclude each other: --config FILE has routes of its own ${seeHelp}.`);
  const port = values.port ?? (named && "8080");
  if (port === undefined) throw new StartError(`--port N is missing ${seeHelp}.`);
  const runtime = runtimeKinds.find((kind) => kind === values.runtime);
  if (runtime === undefined) throw new StartError(`--runtime: expected ${runtimeKinds.join(" or ")}.`);
  if (clock !== "real" && clock !== "driven") throw new StartError(`--clock: expected real or driven.`);
  return {
    config,
    port: numberOf("--port", port),
    controlPort: controlPort === undefined ? undefined : numberOf("--control-port", controlPort),
    plugin,
    clock,
    runtime,
    product,
  };
}

/**
 * The command: serves until SIGTERM or SIGINT, reloads on SIGHUP. Resolves to the exit code, 0 or 2; prints the addresses
 * to stdout when ready, and mistakes to stderr.
 */
export function runServe(args: string[]): Promise<number> {
  return untilStopped((stopped) => serveUntil(stopped, parseServeArgs(args)));
}

/** Reports an uncaught error and ends the process, as in a gateway. It counts as the plugin's unless only code of the kit threw it. */
function tellUncaught(plugin: string): void {
  // Prepended: the command line's own listener would report it as a fault of the kit.
  process.prependListener("uncaughtException", (error: unknown) => {
    if (isOfKit(error)) return;
    process.stderr.write(`${printable(`The plugin ${plugin} threw what nothing caught: ${toldOf(error)}`)}\n`);
    process.exit(1);
  });
}

async function serveUntil(stopped: AbortSignal, options: ServeOptions): Promise<void> {
  if (options.plugin !== undefined) tellUncaught(options.plugin);
  if (options.controlPort !== undefined) keepPrinted();
  const starting = serve(options);
  const running = await Promise.race([starting, once(stopped, "abort").then(() => undefined)]);
  if (running === undefined) {
    // A plugin may never finish starting: do not wait for it, but stop it should it start after all.
    void starting.then(({ close }) => close()).catch(() => undefined);
    return;
  }
  const reload = (): void => {
    running
      .reload()
      .catch((error: unknown) =>
        process.stderr.write(`Not reloaded: ${printable(messageOf(error).split("\n", 1)[0] ?? "")}\n`),
      );
  };
  process.on("SIGHUP", reload);
  const control = running.controlUrl === undefined ? "" : `control on ${running.controlUrl}\n`;
  process.stdout.write(`listening on ${running.url}\n${control}`);
  if (!stopped.aborted) await once(stopped, "abort");
  process.off("SIGHUP", reload);
  await running.close();
}
