/** The target that a command is asked to start or reach. */
import { UsageError } from "../foundation/usage-error.ts";
import { refuseForeignHost } from "../targets/foreign-host.ts";
import { pluginTarget } from "../targets/plugin-target.ts";
import { checkTarget, readTarget, type Target } from "../targets/target-file.ts";

export const targetOptions = {
  target: { type: "string" },
  plugin: { type: "string" },
  product: { type: "string" },
  "allow-host": { type: "string", multiple: true },
} as const;

interface Values {
  readonly target?: string | undefined;
  readonly plugin?: string | undefined;
  readonly product?: string | undefined;
  readonly "allow-host"?: readonly string[] | undefined;
}

interface GivenTarget {
  readonly target: Target;
  readonly allowHosts: readonly string[];
  /** The options that name it, to be asked for again. */
  readonly subject: readonly string[];
}

/**
 * The target of `--target` or `--plugin`. Throws `UsageError`, also for a target on another host that `--allow-host` does
 * not name.
 */
export async function givenTarget(command: string, values: Values): Promise<GivenTarget> {
  const { target: file, plugin, product, "allow-host": allowHosts = [] } = values;
  if (file !== undefined && plugin !== undefined)
    throw new UsageError(`${command} takes one of --target FILE and --plugin FILE`);
  if (plugin !== undefined) {
    const target = checkTarget(pluginTarget({ plugin, product }), process.cwd(), "what you gave");
    const words = product === undefined ? [] : ["--product", product];
    return { target, allowHosts, subject: ["--plugin", plugin, ...words] };
  }
  if (product !== undefined) throw new UsageError("--product goes with --plugin: a target file says it itself");
  if (file === undefined) {
    throw new UsageError(
      `${command} needs --plugin FILE for a plugin, or --target FILE for a gateway; webhooks-conformance init writes such a file`,
    );
  }
  const target = await readTarget(file);
  refuseForeignHost(target, allowHosts);
  return { target, allowHosts, subject: ["--target", file] };
}
