/** What scripts share to read their options: one that chooses nothing must not look like a green run. */
import { parseArgs, type ParseArgsConfig } from "node:util";

export const flag = { type: "boolean", default: false } as const;
export const text = (value = "") => ({ type: "string", default: value }) as const;

/** The options and names as they are given. Ends the process when an option is not among these. */
export function given<const Options extends NonNullable<ParseArgsConfig["options"]>>(options: Options, names = false) {
  try {
    return parseArgs({ options, allowPositionals: names });
  } catch (error) {
    return refuse(error instanceof Error ? error.message : String(error));
  }
}

/** Ends the process with exit code 2 and this sentence. */
export function refuse(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(2);
}

/** The value of a numeric option. Ends the process when it is not a whole number from 1. */
export function positiveNumber(option: string, text: string): number {
  return /^[1-9]\d*$/.test(text) ? Number(text) : refuse(`${option} is "${text}", expected a whole number from 1`);
}
