/** The target that a command is asked to start or reach. */
import { oneOf, wholeNumber } from "./command.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { refuseForeignHost } from "../targets/foreign-host.ts";
import { pluginTarget } from "../targets/plugin-target.ts";
import { checkTarget, readTarget } from "../targets/target-file.ts";

const text = { type: "string" } as const;

/** Options that only go with `--plugin`: a target file has fields for them. */
export const pluginOptions = { plugin: text, product: text, runtime: text, "request-timeout": text } as const;

export const targetOptions = {
  target: text,
  ...pluginOptions,
  "allow-host": { type: "string", multiple: true },
} as const;

type Given = Readonly<Partial<Record<"target" | keyof typeof pluginOptions, string | undefined>>>;
type Values = Given & { readonly "allow-host"?: readonly string[] | undefined };

/**
 * The target of `--target` or `--plugin`; `subject`: the options that name it, to be asked for again; `served`: of a plugin,
 * those that `serve` takes as well. Throws `UsageError`, also for a target on another host that `--allow-host` does not name.
 */
export async function givenTarget(command: string, values: Values) {
  const { target: file, plugin, "allow-host": allowHosts = [] } = values;
  const given = (name: "product" | "runtime" | "request-timeout") =>
    values[name] === undefined ? [] : [`--${name}`, values[name]];
  const ofGateway = [...given("product"), ...given("runtime")];
  const more = [...ofGateway, ...given("request-timeout")];
  if (plugin !== undefined && file === undefined) {
    const target = checkTarget(targetOfPlugin({ ...values, plugin }), process.cwd(), "what you gave");
    const named = ["--plugin", plugin];
    return { target, allowHosts, subject: [...named, ...more], served: [...named, ...ofGateway] };
  }
  if (plugin !== undefined) throw new UsageError(`${command} takes one of --target FILE and --plugin FILE`);
  if (more.length > 0) throw new UsageError(`${more[0]} goes with --plugin: a target file says it itself`);
  if (file === undefined) {
    throw new UsageError(
      `${command} needs --plugin FILE for a plugin, or --target FILE for a gateway; webhooks-conformance init writes such a file`,
    );
  }
  const target = await readTarget(file);
  refuseForeignHost(target, allowHosts);
  return { target, allowHosts, subject: ["--target", file] };
}

/** The fields of the target file that stands for these options. Throws `UsageError`. */
export function targetOfPlugin(given: Given & { plugin: string }, program?: readonly string[]) {
  const { runtime, "request-timeout": timeout } = given;
  if (runtime !== undefined) oneOf("--runtime", runtime, runtimes);
  const requestTimeoutMs = timeout === undefined ? undefined : wholeNumber("--request-timeout", timeout, 1);
  return pluginTarget({ ...given, requestTimeoutMs }, program);
}

const runtimes = ["bare", "checking"] as const;
