/** A gateway with its control port: started together, and inside this process where a suite judges it. */
import { dirname } from "node:path";
import { startControl, type Control } from "./control.ts";
import type { DrivenClock } from "./clock.ts";
import { StartError } from "./errors.ts";
import { startGateway, type Gateway, type GatewayOptions } from "./gateway.ts";

export interface HostOptions extends GatewayOptions {
  /** Absent: no control port. 0 takes a free one. */
  controlPort: number | undefined;
  drivenClock: DrivenClock | undefined;
}

export interface Host {
  readonly gateway: Gateway;
  readonly control: Control | undefined;
  close(): Promise<void>;
}

/** Rejects with StartError; nothing listens then. */
export async function startHost({ controlPort, drivenClock, ...options }: HostOptions): Promise<Host> {
  const gateway = await startGateway(options);
  try {
    const { flows } = options;
    const control =
      controlPort === undefined
        ? undefined
        : await startControl({ port: controlPort, flows, logs: gateway.logs, drivenClock });
    return { gateway, control, close: async () => void (await Promise.all([control?.close(), gateway.close()])) };
  } catch (error) {
    await gateway.close();
    throw error;
  }
}

/** What the suite passes for each configuration that it tries. */
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

/** What `start` needs to know of a configuration. */
export interface Surroundings {
  readonly document: unknown;
  readonly configDir: string;
  readonly env: NodeJS.ProcessEnv;
  readonly log: (line: string) => void;
}

const tailCharacters = 8_192;

/** A target's `launch` that starts something in this process. A StartError counts as a process that refused to start. */
export function launchInProcess(
  start: (given: Surroundings) => Promise<Pick<Hosted, "origin" | "control" | "stop">>,
): (input: HostedInput) => Promise<Hosted> {
  return async ({ configuration, configFile }) => {
    const { document, environment, absent } = configuration;
    const env: NodeJS.ProcessEnv = { ...process.env, ...environment };
    for (const name of absent) delete env[name];
    let tail = "";
    const log = (line: string) => void (tail = `${tail}${line}\n`.slice(-tailCharacters));
    try {
      const started = await start({ document, configDir: dirname(configFile), env, log });
      return {
        ...started,
        ending: undefined,
        get stderrTail() {
          return tail;
        },
      };
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      const ending = error.message;
      // Nothing listens on the discard port.
      return { origin: "http://127.0.0.1:9", control: undefined, ending, stderrTail: ending, stop: async () => {} };
    }
  };
}
