/**
 * Judges each hostile target with few cases in this process. Then runs the command line against those that cost a
 * runner the most, and against a healthy target to compare: prints exit code, seconds and peak memory. Complains of what
 * a run must not do, show or leave behind. Usage: hostile.ts [--all: whole runs against every target]
 * [--only WORD]; needs a build. Exit 1 after a complaint.
 */
import { hostile, representative } from "../conformance/proof/hostile/index.ts";
import { complaintsAbout, complaintsAboutShortRun } from "../conformance/proof/hostile/short-run.ts";
import { wholeRun, type WholeRun } from "../conformance/proof/hostile/whole-run.ts";
import { flag, given, refuse, text } from "./options.ts";

const options = given({ all: flag, only: text() });
const REQUEST_TIMEOUT_MS = 2000;
/** At the same time; those with few cases mostly wait for timeouts. */
const [WHOLE_RUNS, SHORT_RUNS] = [2, 8];

const named = hostile.filter(({ id }) => id.includes(options.only));
if (named.length === 0) refuse(`--only is "${options.only}": no target's id holds it`);
const chosen = named.filter((subject) => options.all || options.only !== "" || representative(subject));
const inProcess = named.filter(({ wholeRunOnly }) => wholeRunOnly !== true);

/** Works through a list with at most `width` items at a time. */
async function pooled<Item>(items: readonly Item[], width: number, work: (item: Item) => Promise<void>) {
  const waiting = items.values();
  const worker = async () => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

function show(id: string, { exitCode, seconds, maxRssMb, report, outputs }: WholeRun): void {
  const bad = report?.results.find(({ outcome }) => ["fail", "error", "unreached"].includes(outcome));
  const reason = bad?.reason ?? outputs.get("standard error")?.split("\n")[0] ?? "";
  const figures = `exit code ${exitCode}, ${seconds.toFixed(1)} s, ${maxRssMb.toFixed(0)} MB`;
  process.stdout.write(`${id}: ${figures}; ${reason.slice(0, 120)}\n`);
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

const healthy = await wholeRun("reference", REQUEST_TIMEOUT_MS, ["--quick"]);
show("(healthy)", healthy);
complain(complaintsAbout(healthy, { harmless: true }));
/** Hostile targets get twice the time of the healthy one, as their time budget, s. */
const budgetSeconds = Math.max(20, Math.ceil(2 * healthy.seconds));
const bounds = ["--quick", "--max-minutes", (budgetSeconds / 60).toFixed(3)];
process.stdout.write(`each of the following has a time budget of ${budgetSeconds} s\n`);
await pooled(chosen, WHOLE_RUNS, async ({ id, harmless = false }) => {
  const run = await wholeRun(id, REQUEST_TIMEOUT_MS, bounds);
  show(id, run);
  complain(complaintsAbout(run, { harmless, budgetSeconds }));
});
