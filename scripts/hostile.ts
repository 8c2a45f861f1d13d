/**
 * Judges each hostile target with few cases in this process. Then runs the command line against those that cost a
 * runner the most, and against a healthy target to compare: prints exit code, seconds, peak memory, and what was left
 * behind. Complains of what a run must not do or show. Usage: hostile.ts [--all: whole runs against every target]
 * [--only WORD] [--timeout MS] [--workers N]; needs a build. Exit 1 after a complaint.
 */
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { complaintsAbout } from "../conformance/proof/hostile/complaints.ts";
import { hostile, representative } from "../conformance/proof/hostile/index.ts";
import { complaintsAboutShortRun } from "../conformance/proof/hostile/short-run.ts";
import { wholeRun, type WholeRun } from "../conformance/proof/hostile/whole-run.ts";
import { pooled } from "../conformance/proof/pool.ts";
import { chosenBy, wholeNumber } from "./options.ts";

const { values } = parseArgs({
  options: {
    all: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    timeout: { type: "string", default: "2000" },
    workers: { type: "string", default: "2" },
    runner: { type: "string", default: fileURLToPath(new URL("../dist/conformance/cli/main.js", import.meta.url)) },
  },
});
const timeoutMs = wholeNumber("--timeout", values.timeout);
const workers = wholeNumber("--workers", values.workers);
const isAsked = values.all || values.only !== "" ? () => true : representative;
const named = chosenBy(values.only, hostile, ({ id }) => id);
const chosen = named.filter(isAsked);
const inProcess = named.filter(({ wholeRunOnly }) => wholeRunOnly !== true);
/** They mostly wait for timeouts. */
const SHORT_RUNS = 8;

const row = (cells: readonly (string | number)[]) =>
  process.stdout.write(`${cells.map((cell, index) => String(cell).padEnd([24, 4, 6, 5, 4][index] ?? 0)).join(" ")}\n`);

function show(id: string, run: WholeRun): void {
  const counts = Object.entries(run.report?.verdict.counts ?? {}).filter(([, count]) => count > 0);
  const reason =
    run.report?.results.find(({ outcome }) => outcome === "fail" || outcome === "error" || outcome === "unreached")
      ?.reason ?? run.outputs.get("standard error")?.split("\n")[0];
  const summary = counts.map(([outcome, count]) => `${count} ${outcome}`).join(", ");
  const figures = [String(run.exitCode), run.seconds.toFixed(1), Math.round(run.maxRssMb), run.left.length];
  row([id, ...figures, `${summary}; ${reason ?? "none"}`.slice(0, 160)]);
}

let complained = 0;
function complain(complaints: readonly string[]): void {
  complained += complaints.length;
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
const healthy = await wholeRun("reference", [values.runner], timeoutMs, ["--quick"]);
show("(healthy)", healthy);
complain(complaintsAbout(healthy, { harmless: true }));
/** Hostile targets get twice the time of the healthy one, as their time budget, s. */
const budgetSeconds = Math.max(20, Math.ceil(2 * healthy.seconds));
const bounds = ["--quick", "--max-minutes", (budgetSeconds / 60).toFixed(3)];
process.stdout.write(`each of the following has a time budget of ${budgetSeconds} s\n`);
await pooled(chosen, workers, async ({ id, harmless = false }) => {
  const run = await wholeRun(id, [values.runner], timeoutMs, bounds);
  show(id, run);
  complain(complaintsAbout(run, { harmless, budgetSeconds }));
});
process.exitCode = complained === 0 ? 0 : 1;
