#!/usr/bin/env node
/** The command line: finds the command, runs it, and prints an error that the user can fix in one or two lines. */
import * as module from "node:module";
import { StartError } from "../foundation/start-error.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { EXIT } from "./command.ts";
import { commands, helpOf } from "./commands.ts";
import { brokenOutput, complaint, print, tell } from "./print.ts";
import { didYouMean } from "../foundation/nearest.ts";
import { leftBehind } from "../targets/state-folder.ts";

async function main(words: string[]): Promise<number> {
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

for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    const isDelivered = brokenOutput.said !== "" && stream === process.stdout;
    // `list | head` closes the pipe early, which is not an error; where it was to hold a report, it is.
    if (error.code === "EPIPE" && !isDelivered) return;
    brokenOutput.lost ??= complaint(new UsageError(`the output could not be written: ${error.message}`), []);
    // Other reports may still be on their way to their files.
    if (brokenOutput.said === "") process.exit(brokenOutput.code);
  });
}
process.on("exit", (code) => {
  const { lost, said } = brokenOutput;
  // What a signal ended keeps its code, and a report that could not be written is told already.
  if (lost === undefined || code >= 128 || code === EXIT.incomplete) return;
  tell(lost + said);
  process.exitCode = brokenOutput.code;
});

// Node from 22.1 on keeps what it has compiled for the next start.
(module as { enableCompileCache?: () => void }).enableCompileCache?.();

/** A fault of the kit exits with 4: by itself Node would exit with 1, which means "not conformant". */
process.on("uncaughtException", (error) => {
  tell(`webhooks-conformance: a fault of the kit itself, please report it\n`);
  tell(`${error.stack ?? String(error)}\n`);
  process.exit(EXIT.incomplete);
});

process.on("exit", () => leftBehind().forEach((left) => tell(`webhooks-conformance: ${left}\n`)));

/** A request that a silent target still owes an answer would keep the process for as long as requests may take. */
const LINGER_MS = 1000;

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError || error instanceof StartError)) throw error;
  tell(complaint(error, process.argv.slice(2)));
  process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.unreachable;
}
setTimeout(() => process.stdout.writableLength > 0 || process.exit(), LINGER_MS).unref();
