/** What a run against a hostile target must never show. */
import type { Report } from "../../report/report.ts";
import type { WholeRun } from "./whole-run.ts";

/** A replay line for bash can hold an escaped body of 2,000 characters; no other line is nearly as long. */
const LONGEST_LINE = 12_000;
const LARGEST_OUTPUT = 16 * 1024 * 1024;
/** The runner alone takes about 200 MB. */
const MOST_MEMORY_MB = 400;
/** To end the cases and to stop the target once the time budget is over; a busy machine takes its time, s. */
const AFTERWARDS_S = 15;

interface Expected {
  /** The verdict may be good. */
  readonly harmless?: boolean;
  /** What the run was allowed, s. */
  readonly budgetSeconds?: number;
}

/** Every fault of the runner that the run shows; an empty list is good. */
export function complaintsAbout(run: WholeRun, { harmless = false, budgetSeconds = Infinity }: Expected): string[] {
  const { exitCode, maxRssMb, report, outputs, left } = run;
  const complaints: string[] = left.map((what) => `left behind: ${what}`);
  // Without the start of the runner itself, which depends on the machine.
  const seconds = (report?.ms ?? 0) / 1000;
  if (seconds > budgetSeconds + AFTERWARDS_S) complaints.push(`${Math.round(seconds)} s, allowed ${budgetSeconds}`);
  const codes = harmless ? [0, 1, 3, 4] : [1, 3, 4];
  if (!codes.includes(exitCode ?? -1)) complaints.push(`exit code ${exitCode}`);
  if (!(maxRssMb < MOST_MEMORY_MB)) complaints.push(`${Math.round(maxRssMb)} MB of memory`);
  for (const [name, text] of outputs) complaints.push(...unfitToPrint(text).map((what) => `${name}: ${what}`));
  return [...complaints, ...(report === undefined ? [] : unexplained(report))];
}

/** Output that would act on a terminal or swamp a log. */
export function unfitToPrint(text: string): string[] {
  const found: string[] = [];
  const [control] = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u.exec(text) ?? [];
  if (control !== undefined) found.push(`a control character (${JSON.stringify(control)})`);
  const longest = text.split("\n").reduce((most, line) => Math.max(most, line.length), 0);
  if (longest > LONGEST_LINE) found.push(`a line of ${longest} characters`);
  if (text.length > LARGEST_OUTPUT) found.push(`${text.length} characters`);
  return found;
}

/** Results without a reason, or with a fault of the suite as reason. */
export function unexplained({ results }: Report): string[] {
  return results.flatMap(({ id, outcome, reason = "" }) => {
    if (outcome !== "pass" && reason.trim() === "") return [`${id}: ${outcome} without a reason`];
    return reason.startsWith("a fault of the suite") ? [`${id}: ${reason}`] : [];
  });
}
