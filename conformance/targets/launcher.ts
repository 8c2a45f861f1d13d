/** Ways to bring a target up with a configuration: as a child process, or one that already runs. */
import { resolve } from "node:path";
import { environmentOf } from "./configuration.ts";
import { messageOf } from "../foundation/message-of.ts";
import { StartError } from "../foundation/start-error.ts";
import { HOME_ADDRESS } from "./lanes.ts";
import { freePort, TargetProcess } from "./process.ts";
import { fillFields, fillText, wordsOf, type Target } from "./target-file.ts";
import type { Launch, Launched, LaunchInput } from "./launch.ts";

/** How to launch a target: by its own code, its start command, or not at all where it runs already. */
export function launcherOf(target: Target): Launch {
  if (target.launch !== undefined) return target.launch;
  const { start, baseUrl = "" } = target;
  return start === undefined
    ? () => running(onLoopback(new URL(baseUrl)), target.control)
    : (input) => spawned(target, start, input);
}

/** The origin with 127.0.0.1 for `localhost`, which may resolve to ::1: the kit sends from IPv4 addresses. */
function onLoopback(url: URL): string {
  if (url.hostname === "localhost") url.hostname = HOME_ADDRESS;
  return url.origin;
}

async function running(origin: string, control: string | undefined): Promise<Launched> {
  return { origin, control, ending: undefined, stderrTail: "", stop: async () => {} };
}

/** What a start command may have filled in. */
const FIELDS = ["config", "port", "controlPort", "stateDir", "clock"] as const;

/** A remark on `{words}` of the start command that the kit does not fill in: often, but not always, a typing error. */
export function unfilledIn({ start }: Target): string {
  const words = wordsOf(start).matchAll(/\{(\w+)\}/g);
  const unknown = [...words].filter(([, name]) => !FIELDS.some((field) => field === name));
  if (unknown.length === 0) return "";
  const names = [...new Set(unknown.map(([whole]) => whole))].join(", ");
  return `; its start command holds ${names}, which the kit does not fill in: it knows {${FIELDS.join("} {")}}`;
}

async function spawned(target: Target, start: NonNullable<Target["start"]>, input: LaunchInput): Promise<Launched> {
  const { configuration, configFile, stateDir, clock = "real" } = input;
  const [port, controlPort] = [String(await freePort()), String(await freePort())];
  const fields: Record<(typeof FIELDS)[number], string> = { config: configFile, port, controlPort, stateDir, clock };
  const [program = "", ...args] = fillFields(start.command, fields);
  const env = environmentOf(configuration, { ...process.env, ...fillFields(start.env, fields) });
  const command = { program, args, cwd: resolve(target.folder, start.cwd), env };
  const child = await TargetProcess.start(command).catch((error: unknown) => {
    const why = `${program} (in ${start.cwd}): ${messageOf(error)}`;
    throw new StartError(`the start command could not be run: ${why}`);
  });
  return {
    origin: `http://${HOME_ADDRESS}:${port}`,
    control: target.control === undefined ? undefined : fillText(target.control, fields),
    get ending() {
      return child.ending;
    },
    get stderrTail() {
      return child.stderrTail;
    },
    get stdoutTail() {
      return child.stdoutTail;
    },
    stop: (hurry) => child.stop(start.stopTimeoutMs, hurry),
  };
}
