/** A plugin in the in-memory gateway, inside this process: the quick way to judge one while it is written. */
import { dirname } from "node:path";
import type { Clock } from "../plugin/ports.ts";
import { createDrivenClock, systemClock } from "./clock.ts";
import { startControl } from "./control.ts";
import { messageOf, StartError } from "./errors.ts";
import { startGateway, type LoadablePlugin } from "./gateway.ts";
import { createManagedFlows } from "./managed-flows.ts";

export type { Clock, GatewayApi, GatewayPlugin } from "../plugin/ports.ts";
export type { LoadablePlugin } from "./gateway.ts";

const tailCharacters = 8_192;

/** What the suite gives for each configuration that it tries. */
export interface HostedInput {
  readonly configuration: {
    readonly document: unknown;
    readonly environment: Readonly<Record<string, string>>;
    readonly absent: readonly string[];
  };
  readonly configFile: string;
}

export interface Hosted {
  readonly origin: string;
  readonly control: string | undefined;
  readonly ending: string | undefined;
  readonly stderrTail: string;
  stop(): Promise<void>;
}

/**
 * A target's `launch`. Given a plugin, time is real. Given a function that makes one from a clock (milliseconds since
 * the epoch and timers), the clock is driven, so that a minute's window takes no minute; each configuration gets a
 * plugin of its own. Flows are kept in memory.
 */
export function hostPlugin(
  plugin: LoadablePlugin | ((clock: Clock) => LoadablePlugin),
): (input: HostedInput) => Promise<Hosted> {
  return async ({ configuration, configFile }) => {
    const drivenClock = typeof plugin === "function" ? createDrivenClock() : undefined;
    const clock = drivenClock?.clock ?? systemClock;
    const { document, environment, absent } = configuration;
    const env: NodeJS.ProcessEnv = { ...process.env, ...environment };
    for (const name of absent) delete env[name];
    let tail = "";
    const log = (line: string) => void (tail = `${tail}${line}\n`.slice(-tailCharacters));
    const flows = createManagedFlows({ clock });
    try {
      const loaded = typeof plugin === "function" ? plugin(clock) : plugin;
      const gateway = await startGateway({
        document,
        configDir: dirname(configFile),
        plugin: loaded,
        clock,
        flows,
        port: 0,
        env,
        log,
      });
      const control = await startControl({ port: 0, flows, logs: gateway.logs, drivenClock }).catch(
        async (error: unknown) => {
          await gateway.close();
          throw error;
        },
      );
      return {
        origin: gateway.url,
        control: control.url,
        ending: undefined,
        get stderrTail() {
          return tail;
        },
        stop: async () => void (await Promise.all([control.close(), gateway.close()])),
      };
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      // Like a process that refused its configuration; nothing listens on the discard port.
      const ending = messageOf(error);
      return { origin: "http://127.0.0.1:9", control: undefined, ending, stderrTail: ending, stop: async () => {} };
    }
  };
}
