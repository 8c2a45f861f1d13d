#!/usr/bin/env node
/** The command line as a process: prints an error that the user can fix in one or two lines. */
import * as module from "node:module";
import { StartError } from "../foundation/start-error.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { EXIT } from "./command.ts";
import { commandLine } from "./command-line.ts";
import { brokenOutput, complaint, tell } from "./print.ts";
import { leftBehind } from "../targets/state-folder.ts";

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
  process.exitCode = await commandLine(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError || error instanceof StartError)) throw error;
  tell(complaint(error, process.argv.slice(2)));
  process.exitCode = error instanceof UsageError ? EXIT.usage : EXIT.unreachable;
}
setTimeout(() => process.stdout.writableLength > 0 || process.exit(), LINGER_MS).unref();
