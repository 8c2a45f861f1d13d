import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { shellWord } from "../http/replay-line.ts";
import { runCommand } from "../report/again.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { checkTarget } from "../targets/target-file.ts";
import { print, program } from "./print.ts";
import { orUsageError, readOptions } from "./command.ts";
import { pluginOptions, targetOfPlugin } from "./target.ts";

/** Relative to the target file. */
const CONFIG_DIR = "conformance-config";

const text = { type: "string" } as const;
export const options = {
  ...pluginOptions,
  start: text,
  "base-url": text,
  name: text,
  profile: text,
  out: text,
} as const;

type Given = ReturnType<typeof readOptions<typeof options>>["values"];

export async function command(args: string[]): Promise<number> {
  const { values } = readOptions("init", args, options);
  const file = values.out ?? "target.json";
  const { plugin, start, "base-url": baseUrl } = values;
  if (plugin === undefined && start === undefined && baseUrl === undefined)
    throw new UsageError('init needs --plugin FILE, --start "COMMAND" or --base-url URL');
  const other = plugin === undefined ? (values.runtime ?? values["request-timeout"]) : (start ?? baseUrl);
  if (other !== undefined)
    throw new UsageError(
      "init takes --runtime and --request-timeout with --plugin, and --start or --base-url without it",
    );
  const target = plugin === undefined ? targetOf(values) : fileForPlugin({ ...values, plugin }, file);
  checkTarget(target, dirname(file), "what you gave");
  if (existsSync(file)) throw new UsageError(`${file} is there already: name another with --out, or remove it`);
  const written = `${JSON.stringify(target, null, 2)}\n`;
  await orUsageError(`${file} could not be written`, () => writeFile(file, written, { flag: "wx" }));
  print(`${nextSteps(file, target).join("\n")}\n`);
  return 0;
}

/** The fields of the file, without those that have a default and were not given. */
function targetOf({ name, start, product, profile, "base-url": baseUrl }: Given): Record<string, unknown> {
  return {
    name: name ?? "my gateway",
    ...(product && { product }),
    ...(profile && { profile }),
    ...(start === undefined ? {} : { start: { command: wordsOf(start) } }),
    ...(baseUrl === undefined ? {} : { baseUrl, config: { dir: CONFIG_DIR } }),
  };
}

/** The file that stands for `run --plugin`. */
function fileForPlugin(given: Given & { plugin: string }, file: string): Record<string, unknown> {
  const { plugin, name, profile } = given;
  const fields = targetOfPlugin(given, ["npx", "webhooks-conformance"]);
  const beside = relative(dirname(resolve(file)), resolve(plugin));
  const words = fields.start.command.map((word) =>
    word === plugin && existsSync(plugin) ? (beside.startsWith(".") ? beside : `./${beside}`) : word,
  );
  return {
    ...fields,
    ...(name && { name }),
    ...(profile && { profile }),
    start: { ...fields.start, command: words },
  };
}

/** Splits a start command into words as a shell does; of a shell's syntax it understands quotes only. */
function wordsOf(command: string): string[] {
  const words = command.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

function nextSteps(file: string, { start, baseUrl }: Record<string, unknown>): string[] {
  const command = (start as { command?: string[] } | undefined)?.command?.join(" ") ?? "";
  const missing = start === undefined ? [] : ["config", "port"].filter((field) => !command.includes(`{${field}}`));
  const word = shellWord(file);
  return [
    `wrote ${file}`,
    ...missing.map((field) => `  its start command names no {${field}}; "env" in "start" is another way to say it`),
    "next",
    ...(baseUrl === undefined
      ? []
      : [
          `  ${program()} config --out ${shellWord(join(dirname(file), CONFIG_DIR))} --target ${word}`,
          "  load both files into the target",
        ]),
    `  ${program()} doctor --target ${word}`,
    `  ${runCommand({ subject: ["--target", file], program: program() })}`,
  ];
}
