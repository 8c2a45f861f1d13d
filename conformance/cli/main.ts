#!/usr/bin/env node
/** The command line: finds the command, runs it, and prints an error that the user can fix in one or two lines. */
import { StartError } from "../foundation/start-error.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { EXIT, type Command } from "./command.ts";
import { complaint, print, tell } from "./print.ts";
import { nearest } from "../foundation/nearest.ts";

/** Each command is loaded on demand: `serve` does not need the suite, `list` does not need the network code. */
const commands: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  run: () => import("./run.ts"),
  replay: () => import("./replay.ts"),
  merge: () => import("./merge.ts"),
  render: () => import("./render.ts"),
  diff: () => import("./diff.ts"),
  matrix: () => import("./matrix.ts"),
  baseline: () => import("./baseline.ts"),
  doctor: () => import("./doctor.ts"),
  init: () => import("./init.ts"),
  list: () => import("./list.ts"),
  explain: () => import("./explain.ts"),
  config: () => import("./config.ts"),
  profile: () => import("./profile.ts"),
  serve: () => import("./serve.ts"),
  fixtures: () => import("./fixtures.ts"),
};

async function main(words: string[]): Promise<number> {
  const [name, ...args] = words;
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    print(await overview());
    return name === undefined ? EXIT.usage : EXIT.ok;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) {
    const [guess] = nearest(name, Object.keys(commands), 1);
    throw new UsageError(`there is no command "${name}"; did you mean "${guess}"? (--help lists them)`);
  }
  const { command } = await load();
  if (args.includes("--help") || args.includes("-h")) {
    print(`${command.summary}\n\n${command.usage}\n`);
    return EXIT.ok;
  }
  return command.run(args);
}

async function overview(): Promise<string> {
  const lines = ["webhooks-conformance: judges implementations of the webhooks plugin interface", "", "commands"];
  for (const [name, load] of Object.entries(commands)) {
    lines.push(`  ${name.padEnd(8)} ${(await load()).command.summary}`);
  }
  lines.push("", "webhooks-conformance COMMAND --help shows a command's options");
  lines.push("exit codes: 0 conformant, 1 not conformant, 2 usage, 3 target not reached,");
  lines.push("            4 incomplete, 128 + N ended by signal N (130: Ctrl-C)");
  return `${lines.join("\n")}\n`;
}

// `list | head` closes the pipe early, which is not an error.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    // A disk that is full, for instance.
    tell(complaint(new UsageError(`the output could not be written: ${error.message}`), []));
    process.exit(EXIT.usage);
  });
}

/** Node would exit with code 1, which means "not conformant". */
process.on("uncaughtException", (error) => {
  tell(`webhooks-conformance: a fault of the kit itself, please report it\n`);
  tell(`${error.stack ?? String(error)}\n`);
  process.exit(EXIT.incomplete);
});

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError || error instanceof StartError)) throw error;
  tell(complaint(error, process.argv.slice(2)));
  process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.unreachable;
}
