/** What a command is, and how its options are read. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { firstLineOf, messageOf } from "../foundation/message-of.ts";
import { didYouMean } from "../foundation/nearest.ts";
import { safeLine } from "../foundation/safe-text.ts";
import { UsageError } from "../foundation/usage-error.ts";

export type Command = (args: string[]) => Promise<number>;

/** Exit codes are a contract (see the README); a signal that ends a command adds its number to 128. */
export const EXIT = { ok: 0, notConformant: 1, usage: 2, unreachable: 3, incomplete: 4 } as const;

type Options = NonNullable<ParseArgsConfig["options"]>;

interface Strict<O extends Options> {
  args: string[];
  options: O;
  strict: true;
  allowPositionals: boolean;
  tokens: true;
}

/** `parseArgs`, strict; a wrong option, or one value too many, is a `UsageError` that names the help. */
export function readOptions<const O extends Options>(
  command: string,
  args: string[],
  options: O,
  allowPositionals = false,
): ReturnType<typeof parseArgs<Strict<O>>> {
  const refused = (what: string) => new UsageError(`${what} (see: webhooks-conformance ${command} --help)`);
  let read: ReturnType<typeof parseArgs<Strict<O>>>;
  try {
    read = parseArgs<Strict<O>>({ args, options, strict: true, allowPositionals, tokens: true });
  } catch (error) {
    const [message = ""] = messageOf(error).split(". ");
    throw refused(`${message}${hint(message, Object.keys(options))}`);
  }
  const seen = new Set<string>();
  for (const token of read.tokens) {
    // A flag that is given again means the same; of two values the first would be dropped in silence.
    if (token.kind !== "option" || token.value === undefined || options[token.name]?.multiple === true) continue;
    if (seen.has(token.name))
      throw refused(`${token.rawName} is given more than once, but takes one value: give it once`);
    seen.add(token.name);
  }
  return read;
}

/** What was probably meant: an option of nearly that name, or the option that such a file goes with. */
function hint(message: string, names: readonly string[]): string {
  const [, option, file = ""] = /^Unknown option '(--?[^']+)'|^Unexpected argument '(.+)'/.exec(message) ?? [];
  const dashed = names.map((name) => `--${name}`);
  if (option !== undefined) return didYouMean(option.replace(/^--?/, "--"), dashed);
  const kinds = file.endsWith(".json") ? ["--target"] : /\.[cm]?[jt]s$/.test(file) ? ["--plugin", "--target"] : [];
  const fitting = kinds.filter((kind) => dashed.includes(kind)).map((kind) => `${kind} ${file}`);
  return fitting.length === 0 ? "" : `; did you mean ${fitting.join(" or ")}?`;
}

/** One of a few words, or a `UsageError` that lists them. */
export function oneOf<const T extends string>(option: string, value: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw new UsageError(`${option} is "${value}", expected one of: ${choices.join(", ")}`);
  return found;
}

/** A whole number of at least `least`, or a `UsageError`. */
export function wholeNumber(option: string, value: string, least: number): number {
  const number = Number(value);
  if (/^\d+$/.test(value) && Number.isSafeInteger(number) && number >= least) return number;
  throw new UsageError(`${option} is "${value}", expected a whole number from ${least}`);
}

/** Minutes, decimals allowed, in ms; or a `UsageError`. */
export function minutesIn(option: string, value: string): number {
  const ms = Number(value) * 60_000;
  if (/^\d+(\.\d+)?$/.test(value) && ms > 0 && Number(value) < 10_000) return ms;
  throw new UsageError(`${option} is "${value}", expected minutes, such as 2.5, above 0 and below 10000`);
}

/** The result of `work`; any error of it, such as a file that cannot be read, is a `UsageError` that begins with `what`. */
export async function orUsageError<T>(what: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new UsageError(`${safeLine(what)}: ${safeLine(firstLineOf(error))}`);
  }
}
