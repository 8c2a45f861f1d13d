/** A way to bring a target up, and a target that was brought up. */
import type { Configuration } from "./configuration.ts";

export type Clock = "real" | "driven";

/** A target that was brought up; it may not be ready yet. */
export interface Launched {
  /** `http://127.0.0.1:18080` */
  readonly origin: string;
  /** The control port's URL, where there is one. */
  readonly control?: string | undefined;
  /** `exit code 1` once the target has ended by itself. */
  readonly ending: string | undefined;
  /** The end of what it wrote to stderr. */
  readonly stderrTail: string;
  /** The end of what it wrote to stdout, shown when a start fails and stderr is empty. */
  readonly stdoutTail?: string;
  /** `hurry`: aborted when the user stops the run. */
  stop(hurry?: AbortSignal): Promise<void>;
}

export interface LaunchInput {
  readonly configuration: Configuration;
  /** The file that holds `configuration.document`. */
  readonly configFile: string;
  /** A new folder for the target's state; only `configFile` and secrets of sources other than `env` are in it. */
  readonly stateDir: string;
  /** The clock to start with, for a start command that takes {clock}. */
  readonly clock?: Clock | undefined;
}

/** Brings a target up. Throws `StartError`. */
export type Launch = (input: LaunchInput) => Promise<Launched>;

/** A target of this process that refused its configuration, like a process that exits. */
export function refusedLaunch(ending: string, stderrTail = ending): Launched {
  // Port 9 is the discard port: nothing listens there.
  return { origin: "http://127.0.0.1:9", ending, stderrTail, stop: async () => {} };
}
