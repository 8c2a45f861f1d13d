/** A line of words: finds the command and runs it, or shows help. */
import { UsageError } from "../foundation/usage-error.ts";
import { didYouMean } from "../foundation/nearest.ts";
import { EXIT } from "./command.ts";
import { commands, helpOf } from "./commands.ts";
import { print } from "./print.ts";

export async function commandLine(words: string[]): Promise<number> {
  const [first = "", ...rest] = words;
  if (words.length === 0) {
    print(overview());
    return EXIT.usage;
  }
  if (first === "--version") {
    print(`${(await import("../foundation/suite-version.ts")).suiteVersion()}\n`);
    return EXIT.ok;
  }
  const asksHelp = first === "help" || first === "--help" || first === "-h";
  const [name, ...args] = asksHelp ? rest : words;
  if (name === undefined) {
    print(overview());
    return EXIT.ok;
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (command === undefined)
    throw new UsageError(`there is no command "${name}"${didYouMean(name, Object.keys(commands))} (--help lists them)`);
  // Arguments after -- are no options.
  const options = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
  if (asksHelp || options.includes("--help") || options.includes("-h")) {
    print(`${command.summary}\n\n${await helpOf(name, process.stdout.columns)}\n`);
    return EXIT.ok;
  }
  return (await command.load()).command(args);
}

function overview(): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(8)} ${summary}`);
  return `webhooks-conformance: judges implementations of the webhooks plugin interface

commands
${lines.join("\n")}

webhooks-conformance help COMMAND shows a command's options and examples
webhooks-conformance --version shows the version
exit codes: 0 conformant, 1 not conformant, 2 usage, 3 target not reached,
            4 incomplete, 128 + N ended by signal N (130: Ctrl-C)
examples
  webhooks-conformance init --start 'node server.mjs --config {config} --port {port}'
  webhooks-conformance doctor --target target.json
  webhooks-conformance run --target target.json
`;
}
