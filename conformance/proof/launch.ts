/** Starts a subject inside this process, so that the suite can judge it without child processes. */
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { StartError } from "../../fakes/errors.ts";
import { tailOf } from "../foundation/tail.ts";
import { environmentOf } from "../targets/configuration.ts";
import { inProcessTarget } from "../targets/in-process.ts";
import { refusedLaunch, type Launch } from "../targets/launch.ts";
import type { Target } from "../targets/target-file.ts";
import { startSubject } from "./start.ts";
import type { Change, Document } from "./subject.ts";
import { embedded } from "./target.ts";

/** A target that is launched in this process. */
export const launchedTarget = (name: string, launch: Launch, more: Record<string, unknown> = {}): Target =>
  inProcessTarget(embedded(name, ["launched in process"], more), launch);

/** `realTime`: the subject's clock is the system's. */
export function launchOf(change: Change, realTime = false): Launch {
  return async ({ configuration, configFile }) => {
    let stderr = "";
    const log = (line: string) => void (stderr = tailOf(`${stderr}${line}\n`));
    const { document } = configuration;
    const configDir = dirname(configFile);
    const env = environmentOf(configuration, { PATH: process.env["PATH"] });
    try {
      const readAgain = async () => JSON.parse(await readFile(configFile, "utf8")) as Document;
      const ports = { port: 0, controlPort: 0 };
      const subject = await startSubject({ change, document, readAgain, configDir, env, ...ports, log, realTime });
      return {
        origin: subject.gateway.url,
        control: subject.control?.url,
        ending: undefined,
        get stderrTail() {
          return stderr;
        },
        stop: subject.close,
      };
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      return refusedLaunch("exit code 2", error.message);
    }
  };
}
