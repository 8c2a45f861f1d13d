/**
 * Judges each hostile target with few cases in this process. Then runs the command line against those that cost a
 * runner the most, and against a healthy target to compare: prints exit code, seconds, peak memory, and what was left
 * behind. Complains of what a run must not do or show. Usage: hostile.ts [--all: whole runs against every target]
 * [--only WORD]; needs a build. Exit 1 after a complaint.
 */
import { fileURLToPath } from "node:url";
import { hostile, representative } from "../conformance/proof/hostile/index.ts";
import { complaintsAbout, complaintsAboutShortRun } from "../conformance/proof/hostile/short-run.ts";
import { wholeRun, type WholeRun } from "../conformance/proof/hostile/whole-run.ts";
import { chosenBy, flag, given, text } from "./options.ts";
import { pooled } from "./pool.ts";

const options = given({ all: flag, only: text() });
const runner = [fileURLToPath(new URL("../dist/conformance/cli/main.js", import.meta.url))];
const REQUEST_TIMEOUT_MS = 2000;
/** At the same time; those with few cases mostly wait for timeouts. */
const [WHOLE_RUNS, SHORT_RUNS] = [2, 8];

const named = chosenBy(options.only, hostile, ({ id }) => id);
const chosen = named.filter((subject) => options.all || options.only !== "" || representative(subject));
const inProcess = named.filter(({ wholeRunOnly }) => wholeRunOnly !== true);

const row = (cells: readonly string[]) =>
  process.stdout.write(`${cells.map((cell, index) => cell.padEnd([24, 4, 6, 5, 4][index] ?? 0)).join(" ")}\n`);

function show(id: string, { exitCode, seconds, maxRssMb, left, report, outputs }: WholeRun): void {
  const counts = Object.entries(report?.verdict.counts ?? {}).filter(([, count]) => count > 0);
  const bad = report?.results.find(({ outcome }) => ["fail", "error", "unreached"].includes(outcome));
  const reason = bad?.reason ?? outputs.get("standard error")?.split("\n")[0] ?? "none";
  const figures = [String(exitCode), seconds.toFixed(1), maxRssMb.toFixed(0), String(left.length)];
  const summary = counts.map(([outcome, count]) => `${count} ${outcome}`).join(", ");
  row([id, ...figures, `${summary}; ${reason}`.slice(0, 160)]);
}

function complain(complaints: readonly string[]): void {
  if (complaints.length > 0) process.exitCode = 1;
  for (const complaint of complaints.slice(0, 8)) process.stdout.write(`  COMPLAINT ${complaint}\n`);
  if (complaints.length > 8) process.stdout.write(`  and ${complaints.length - 8} more\n`);
}

process.stdout.write(`${inProcess.length} targets, each with a few cases\n`);
await pooled(inProcess, SHORT_RUNS, async (subject) => {
  const complaints = await complaintsAboutShortRun(subject);
  if (complaints.length > 0) process.stdout.write(`${subject.id}\n`);
  complain(complaints);
});

row(["subject", "exit", "s", "MB", "left", "results; the first reason"]);
const healthy = await wholeRun("reference", runner, REQUEST_TIMEOUT_MS, ["--quick"]);
show("(healthy)", healthy);
complain(complaintsAbout(healthy, { harmless: true }));
/** Hostile targets get twice the time of the healthy one, as their time budget, s. */
const budgetSeconds = Math.max(20, Math.ceil(2 * healthy.seconds));
const bounds = ["--quick", "--max-minutes", (budgetSeconds / 60).toFixed(3)];
process.stdout.write(`each of the following has a time budget of ${budgetSeconds} s\n`);
await pooled(chosen, WHOLE_RUNS, async ({ id, harmless = false }) => {
  const run = await wholeRun(id, runner, REQUEST_TIMEOUT_MS, bounds);
  show(id, run);
  complain(complaintsAbout(run, { harmless, budgetSeconds }));
});
