/**
 * Runs the command line against each hostile target: prints its exit code, seconds and memory, and complains of output
 * that it must not show. Usage: hostile.ts [--only WORD] [--timeout MS]; needs a build. Exit 1 after a complaint.
 */
import { parseArgs } from "node:util";
import { fileURLToPath } from "node:url";
import { complaintsAbout } from "../conformance/proof/hostile/complaints.ts";
import { hostile } from "../conformance/proof/hostile/index.ts";
import { wholeRun } from "../conformance/proof/hostile/whole-run.ts";
import { chosenBy, wholeNumber } from "./options.ts";

const { values } = parseArgs({
  options: { only: { type: "string", default: "" }, timeout: { type: "string", default: "1000" } },
});
const timeoutMs = wholeNumber("--timeout", values.timeout);
const chosen = chosenBy(values.only, hostile);
const runner = [fileURLToPath(new URL("../dist/conformance/cli/main.js", import.meta.url))];

const row = (cells: readonly (string | number)[]) =>
  process.stdout.write(`${cells.map((cell, index) => String(cell).padEnd([24, 4, 7, 7][index] ?? 0)).join(" ")}\n`);

row(["subject", "exit", "s", "MB", "results; the first reason"]);
let complained = 0;
for (const { id, harmless = false } of chosen) {
  const run = await wholeRun(id, runner, timeoutMs);
  const counts = Object.entries(run.report?.verdict.counts ?? {}).filter(([, count]) => count > 0);
  const reason =
    run.report?.results.find(({ outcome }) => outcome === "fail" || outcome === "error" || outcome === "unreached")
      ?.reason ?? run.outputs.get("standard error")?.split("\n")[0];
  const summary = counts.map(([outcome, count]) => `${count} ${outcome}`).join(", ");
  row([id, String(run.exitCode), run.seconds.toFixed(1), Math.round(run.maxRssMb), `${summary}; ${reason ?? "none"}`]);
  const complaints = complaintsAbout(run, harmless);
  complained += complaints.length;
  for (const complaint of complaints.slice(0, 8)) process.stdout.write(`  COMPLAINT ${complaint}\n`);
  if (complaints.length > 8) process.stdout.write(`  and ${complaints.length - 8} more\n`);
}
process.exitCode = complained === 0 ? 0 : 1;
