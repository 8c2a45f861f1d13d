/** Launches a target inside this process, in place of a start command. */
import { dirname } from "node:path";
import { StartError } from "../errors.ts";

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
interface Surroundings {
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
