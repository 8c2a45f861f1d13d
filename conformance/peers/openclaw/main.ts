/** `npm run conformance:openclaw`: judges the live peer with the whole suite, its profile and its baseline. */
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { format } from "prettier";
import { ENDINGS } from "../../foundation/endings.ts";
import { StartError } from "../../foundation/start-error.ts";
import { install } from "./install.ts";
import { askRuntime, writeTarget, type Hosting } from "./targets.ts";

const root = join(import.meta.dirname, "..", "..", "..");
export const PEER_VERSION = "2026.9.6";
const baselineFile = join(import.meta.dirname, "baseline.json");
const runtimeFile = join(import.meta.dirname, "runtime.json");

/** Lines of npm's errors to show; the first ones say the most. */
const SHOWN_LINES = 5;

const usage = `usage: npm run conformance:openclaw -- [options] [options of run]
  --version V   another version of the peer (default ${PEER_VERSION})
  --hosted      the plugin of this package in the peer's gateway
  --embedded    the peer's plugin in the embedded gateway, its clock driven
  --learn       learn a profile from it instead of judging it
  --runtime     write to runtime.json what its runtime answers to a plugin that checks nothing
Other options go to run; with --profile the baseline is left out.`;

/** Runs the built command line and returns its exit code. */
async function commandLine(args: readonly string[]): Promise<number> {
  const main = join(root, "dist", "conformance", "cli", "main.js");
  const child = spawn(process.execPath, [main, ...args], { stdio: "inherit" });
  // The child gets the terminal's Ctrl-C too, and stops the target.
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of ENDINGS) process.on(signal, pass);
  const code = await new Promise<number>((settle) => child.on("close", (exit) => settle(exit ?? 130)));
  for (const signal of ENDINGS) process.off(signal, pass);
  return code;
}

async function main(words: string[]): Promise<number> {
  const flag = { type: "boolean" } as const;
  const own = { version: { type: "string" }, hosted: flag, embedded: flag, learn: flag, runtime: flag } as const;
  const { values, tokens } = parseArgs({ args: words, options: { ...own, help: flag }, strict: false, tokens: true });
  if (values.help === true) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const taken = new Set<number>();
  for (const token of tokens) {
    if (token.kind !== "option" || !Object.hasOwn(own, token.name)) continue;
    taken.add(token.index);
    if (token.value !== undefined && !token.inlineValue) taken.add(token.index + 1);
  }
  const passed = words.filter((_word, index) => !taken.has(index));
  const hosting: Hosting = values.hosted === true ? "hosted" : values.embedded === true ? "embedded" : "peer";
  const version = String(values.version ?? PEER_VERSION);
  const installed = await install(version);
  if (values.runtime === true) {
    const answers = JSON.stringify(await askRuntime(version, installed));
    await writeFile(runtimeFile, await format(answers, { parser: "json", printWidth: 120 }));
    return 0;
  }
  const target = await writeTarget(hosting, version, installed);
  if (values.learn === true) return commandLine(["profile", "learn", "--target", target, ...passed]);
  const held = passed.some((word) => word.startsWith("--profile")) || hosting !== "peer";
  return commandLine(["run", "--target", target, ...(held ? [] : ["--baseline", baselineFile]), ...passed]);
}

if (process.argv[1] === import.meta.filename) {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(`conformance:openclaw: ${error.message}\n`);
    const npmErrors = error.stderrTail.split("\n").filter((line) => line.startsWith("npm error"));
    if (npmErrors.length > 0) process.stderr.write(`${npmErrors.slice(0, SHOWN_LINES).join("\n")}\n`);
    process.exitCode = 3;
  }
}
