/** The reports that the pages are made from: real runs against subjects of the proof. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { servedTarget } from "../../conformance/proof/target.ts";
import { folder } from "./chromium.ts";

const root = join(import.meta.dirname, "..", "..");
const main = join(root, "dist", "conformance", "cli", "main.js");

/** Each report by its name, with what its target is called and the id of its subject. */
const targets: Readonly<Record<string, readonly [name: string, subject: string]>> = {
  green: ["gateway 1.4", "reference"],
  "one-failure": ["gateway 1.5", "whoever-says-to-come-from-127-0-0-1-needs-no-secret"],
  order: ["gateway 1.6", "a-request-that-fails-both-the-method-and-the-rate-limit-check-is-answered-for-rate-limit"],
  story: ["gateway 1.7", "set-waiting-accepted-and-nothing-done-of-a-flow-that-is-waiting"],
  red: ["a stub", "ok-alone"],
};
export const reportNames = Object.keys(targets);

const runFolder = join(folder, "run");
export const fileOf = (name: string, ending: string) => join(runFolder, `${name}.${ending}`);

/** Runs the command line; resolves with its output. */
function cli(args: readonly string[], codes: readonly number[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { cwd: root, encoding: "utf8" });
  if (status === null || !codes.includes(status)) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Judges each target and writes its JSON report. */
export function makeReports(): void {
  mkdirSync(runFolder, { recursive: true });
  for (const [name, [title, subject]] of Object.entries(targets)) {
    process.stderr.write(`judging the target of the report ${name}\n`);
    writeFileSync(fileOf(name, "target.json"), JSON.stringify(servedTarget(subject, title)));
    cli(["run", "--target", fileOf(name, "target.json"), "--report", `json=${fileOf(name, "json")}`], [0, 1, 4]);
    const { verdict } = JSON.parse(readFileSync(fileOf(name, "json"), "utf8")) as { verdict: { failed: string[] } };
    process.stderr.write(`  ${verdict.failed.length} failures\n`);
  }
}

const html = (name: string) => ["--html", fileOf(name, "html")];
const json = (...names: readonly string[]) => names.map((name) => fileOf(name, "json"));

/** Renders every page with the command line, as a user would. */
export function makePages(): void {
  for (const name of reportNames)
    cli(["render", fileOf(name, "json"), "--report", `html=${fileOf(name, "html")}`], [0]);
  cli(["diff", ...json("green", "story"), ...html("diff")], [1]);
  cli(["matrix", ...json("green", "order", "story"), ...html("matrix")], [0]);
}
