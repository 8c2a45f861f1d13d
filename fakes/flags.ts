/** Flags of the command `serve`. Every mistake is a StartError that says what is expected. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { messageOf, StartError } from "./errors.ts";

export const seeHelp = "(see: webhooks-conformance serve --help)";

type Flags = NonNullable<ParseArgsConfig["options"]>;
type Values<T extends Flags> = ReturnType<typeof parseArgs<{ options: T }>>["values"];

export function readFlags<const T extends Flags>(args: readonly string[], options: T): Values<T> {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new StartError(`${messageOf(error).split(". ", 1)[0]} ${seeHelp}.`, { cause: error });
  }
}

/** A port, unless `most` says how high the number may be. */
export function numberOf(option: string, text: string, most = 65_535): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= most) return number;
  throw new StartError(`${option} is "${text}", expected a whole number from 0 to ${most}.`);
}
