/** Starts a subject inside this process, so that the suite can judge it without child processes. */
import { dirname } from "node:path";
import { StartError } from "../../fakes/errors.ts";
import type { Configuration } from "../targets/configured.ts";
import type { Launch, Launched } from "../targets/launched.ts";
import { checkTarget, type Target } from "../targets/target-file.ts";
import { startSubject } from "./start.ts";
import type { Change } from "./subject.ts";
import { embedded } from "./target.ts";

const TAIL_CHARACTERS = 8192;

/** A target that is launched in this process. */
export function launchedTarget(name: string, launch: Launch, more: Record<string, unknown> = {}): Target {
  return { ...checkTarget(embedded(name, ["launched in process"], more), ".", name), launch };
}

export function subjectTarget(id: string, change: Change): Target {
  return launchedTarget(id, launchOf(change));
}

export function launchOf(change: Change): Launch {
  return async ({ configuration, configFile }) => {
    let stderr = "";
    const log = (line: string) => void (stderr = `${stderr}${line}\n`.slice(-TAIL_CHARACTERS));
    const { document } = configuration;
    const [configDir, env] = [dirname(configFile), environmentOf(configuration)];
    try {
      const subject = await startSubject({ change, document, configDir, env, port: 0, controlPort: 0, log });
      return {
        origin: subject.gateway.url,
        control: subject.control.url,
        ending: undefined,
        get stderrTail() {
          return stderr;
        },
        stop: subject.close,
      };
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      return ended(error.message);
    }
  };
}

/** Like a child process: the secrets of `env` routes are there, those of cold routes are not. */
function environmentOf({ environment, absent }: Configuration): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { PATH: process.env["PATH"], ...environment };
  for (const name of absent) delete env[name];
  return env;
}

/** Looks like a process that refused its configuration; nothing listens on the discard port, 9. */
function ended(stderrTail: string): Launched {
  return { origin: "http://127.0.0.1:9", ending: "exit code 2", stderrTail, stop: async () => {} };
}
