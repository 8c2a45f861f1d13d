import { writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { createInterface } from "node:readline";
import { shellWord } from "../http/replay-line.ts";
import { shippedProfiles } from "../interface/profile.ts";
import { runCommand } from "../report/again.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { checkTarget } from "../targets/target-file.ts";
import { print, program } from "./print.ts";
import { readOptions, type Command } from "./command.ts";
import { pluginOptions, targetOfPlugin } from "./target.ts";

/** Relative to the target file. */
const CONFIG_DIR = "conformance-config";

interface Answers {
  readonly name?: string | undefined;
  readonly plugin?: string | undefined;
  readonly runtime?: string | undefined;
  readonly start?: string | undefined;
  readonly "base-url"?: string | undefined;
  readonly product?: string | undefined;
  readonly profile?: string | undefined;
}

const text = { type: "string" } as const;
export const options = {
  ...pluginOptions,
  start: text,
  "base-url": text,
  name: text,
  profile: text,
  out: text,
} as const;

export const command: Command = {
  async run(args) {
    const { values } = readOptions("init", args, options);
    const file = values.out ?? "target.json";
    const known = [values.plugin, values.start, values["base-url"]].some((given) => given !== undefined);
    if (!known && !process.stdin.isTTY)
      throw new UsageError('init needs --plugin FILE, --start "COMMAND" or --base-url URL');
    const answers = known ? values : await ask(values);
    const target =
      answers.plugin === undefined ? targetOf(answers) : fileForPlugin({ ...answers, plugin: answers.plugin }, file);
    checkTarget(target, dirname(file), "what you gave");
    await write(file, `${JSON.stringify(target, null, 2)}\n`);
    print(`${nextSteps(file, target).join("\n")}\n`);
    return 0;
  },
};

/** The fields of the file, without those that have a default and were not given. */
function targetOf(answers: Answers): Record<string, unknown> {
  const { start, product, profile, "base-url": baseUrl } = answers;
  const given = { ...(product && { product }), ...(profile && { profile }) };
  return {
    name: answers.name ?? "my gateway",
    ...given,
    ...(start === undefined ? {} : { start: { command: wordsOf(start) } }),
    ...(baseUrl === undefined ? {} : { baseUrl, config: { dir: CONFIG_DIR } }),
  };
}

/** The file that stands for `run --plugin`. */
function fileForPlugin(answers: Answers & { plugin: string }, file: string): Record<string, unknown> {
  const { plugin, name, profile } = answers;
  const fields = targetOfPlugin(answers, ["npx", "webhooks-conformance"]);
  const beside = relative(dirname(resolve(file)), resolve(plugin));
  const words = fields.start.command.map((word) =>
    word === plugin && fields.name !== plugin ? (beside.startsWith(".") ? beside : `./${beside}`) : word,
  );
  return {
    ...fields,
    ...(name && { name }),
    ...(profile && { profile }),
    start: { ...fields.start, command: words },
  };
}

/** Splits like a shell, but understands quotes only. */
function wordsOf(command: string): string[] {
  const words = command.match(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}

async function ask(given: Answers): Promise<Answers> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
  // The iterator buffers lines: several may be pasted at once.
  const lines = terminal[Symbol.asyncIterator]();
  const question = async (text: string) => {
    print(`${text}: `);
    const line = await lines.next();
    if (line.done === true) throw new UsageError("the answers ended early: nothing was written");
    return line.value.trim() || undefined;
  };
  try {
    const start = await question("start command with {config} and {port} (empty: it already runs)");
    const baseUrl = start === undefined ? await question("its URL, http://127.0.0.1:<port>") : undefined;
    if (start === undefined && baseUrl === undefined) throw new UsageError("init needs a start command or a URL");
    return {
      start,
      "base-url": baseUrl,
      name: given.name ?? (await question("name in reports (my gateway)")),
      product: given.product ?? (await question("product in x-<product>-webhook-secret (service)")),
      profile: given.profile ?? (await question(`profile: ${shippedProfiles.join(", ")} or a path (spec)`)),
    };
  } finally {
    terminal.close();
  }
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: "wx" });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw new UsageError(`${file} is there already: name another with --out, or remove it`);
    throw new UsageError(`${file} could not be written: ${message}`);
  }
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
