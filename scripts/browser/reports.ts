/** The reports that the pages are made from: real runs against subjects of the proof. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { embedded } from "../../conformance/proof/target.ts";
import { folder } from "./chromium.ts";

const root = join(import.meta.dirname, "..", "..");
const main = join(root, "dist", "conformance", "cli", "main.js");
const proof = join(root, "conformance", "proof");
const ports = ["--port", "{port}", "--control-port", "{controlPort}"];

const subject = (id: string) => ["serve.ts", "--subject", id, "--config", "{config}", ...ports];

/** Each report by its name: what its target is called, and what serves it. */
const targets = {
  green: { name: "gateway 1.4", serve: subject("reference") },
  "one-failure": { name: "gateway 1.5", serve: subject("whoever-says-to-come-from-127-0-0-1-needs-no-secret") },
  order: {
    name: "gateway 1.6",
    serve: subject("a-request-that-fails-both-the-method-and-the-rate-limit-check-is-answered-for-rate-limit"),
  },
  story: {
    name: "gateway 1.7",
    serve: subject("resume-flow-drops-the-state-data-of-a-flow-that-was-resumed-twice"),
  },
  red: { name: "a stub", serve: subject("ok-alone") },
} as const;

export type ReportName = keyof typeof targets;
export const reportNames = Object.keys(targets) as readonly ReportName[];

export const runFolder = join(folder, "run");
export const fileOf = (name: string, ending: string) => join(runFolder, `${name}.${ending}`);

/** Runs the command line; resolves with its output. */
export function cli(args: readonly string[], codes: readonly number[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { cwd: root, encoding: "utf8" });
  if (status === null || !codes.includes(status)) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Judges each target and writes its JSON report. */
export function makeReports(): void {
  mkdirSync(runFolder, { recursive: true });
  for (const name of reportNames) {
    process.stderr.write(`judging the target of the report ${name}\n`);
    const target = embedded(targets[name].name, ["node", "--import", "tsx", ...targets[name].serve]);
    writeFileSync(fileOf(name, "target.json"), JSON.stringify({ ...target, start: { ...target.start, cwd: proof } }));
    cli(["run", "--target", fileOf(name, "target.json"), "--report", `json=${fileOf(name, "json")}`], [0, 1, 4]);
    const { verdict } = JSON.parse(readFileSync(fileOf(name, "json"), "utf8")) as { verdict: { failed: string[] } };
    process.stderr.write(`  ${verdict.failed.length} failures\n`);
  }
}

const html = (name: string) => ["--html", fileOf(name, "html")];
const json = (...names: readonly ReportName[]) => names.map((name) => fileOf(name, "json"));

/** Renders every page with the command line, as a user would. */
export function makePages(): void {
  for (const name of reportNames)
    cli(["render", fileOf(name, "json"), "--report", `html=${fileOf(name, "html")}`], [0]);
  cli(["diff", ...json("green", "story"), ...html("diff")], [1]);
  cli(["matrix", ...json("green", "order", "story"), ...html("matrix")], [0]);
}
