/** The target that a command is asked to start or reach. */
import { refuseForeignHost } from "../targets/foreign-host.ts";
import { readTarget, type Target } from "../targets/target-file.ts";

export const targetOptions = {
  target: { type: "string" },
  "allow-host": { type: "string", multiple: true },
} as const;

/** Reads a target file. Throws `UsageError`, also for a target on another host that `--allow-host` does not name. */
export async function readAllowedTarget(file: string, allowHosts: readonly string[] = []): Promise<Target> {
  const target = await readTarget(file);
  refuseForeignHost(target, allowHosts);
  return target;
}
