/** What a run against a hostile target must never show; a short run in this process ends, passes nothing, and can be printed. */
import { cases } from "../../catalogue.ts";
import { StartError } from "../../foundation/start-error.ts";
import type { Case } from "../../harness/case.ts";
import { readProfile } from "../../interface/profile.ts";
import { formatNames, render } from "../../report/formats.ts";
import { conclude, draftReport } from "../../report/make-report.ts";
import type { Report } from "../../report/report.ts";
import { runContext } from "../../run/context.ts";
import { run } from "../../run/run.ts";
import { keyringFor } from "../../targets/secrets-file.ts";
import { launchedTarget, launchOf } from "../launch.ts";
import type { Hostile } from "./hostile.ts";
import type { WholeRun } from "./whole-run.test-support.ts";

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

/** One case for each way to send and to read back, with few requests, since each may run into its timeout. */
const overRoutes = [
  // So many requests that whoever keeps silent to every third cannot pass it, in whatever order the cases come.
  "SESSION-NAMED-IN-BODY",
  "AUTH-WRONG",
  "BODY-413-DELIVERED",
  "ENVELOPE-HEAD-EMPTY",
  "NEVER-METADATA",
];
/** They call the control port. */
const overControl = ["CANCEL-CHILD-ENDED", "LEAK-LOG", "SESSION-SEEDED", "BODY-15-SECONDS"];
/** Request timeout, ms. */
const IMPATIENCE_MS = 800;

const fewCases = ({ change }: Hostile): readonly Case[] =>
  cases.filter(({ id }) => (change.control === undefined ? overRoutes : overControl).includes(id));

/** The report of a run against the target, or why it was never judged. */
export async function shortRun(subject: Hostile, judgedCases = fewCases(subject)): Promise<Report | StartError> {
  const { id, change } = subject;
  const target = launchedTarget(id, launchOf(change), { requestTimeoutMs: IMPATIENCE_MS });
  const [profile, keyring] = [await readProfile("reference", "."), await keyringFor(target)];
  const context = runContext({ target, profile, cases: judgedCases, keyring });
  try {
    const selection = { quick: false, cases: undefined };
    const draft = draftReport({ ...context, outcome: await run(context), suite: cases, selection, failOn: "gap" });
    return conclude(draft, undefined);
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
}

/** Every fault of the runner that the short run shows; an empty list is good. */
export async function complaintsAboutShortRun(subject: Hostile): Promise<string[]> {
  const { mayPass = [], unjudged = false, harmless = false } = subject;
  const result = await shortRun(subject);
  if (result instanceof StartError) {
    const expected = unjudged && result.message.startsWith("the control port");
    return [...(expected ? [] : [`not judged: ${result.message}`]), ...unfitToPrint(result.message)];
  }
  const { results, verdict } = result;
  const complaints = [...(await unfitReports(result)), ...unexplained(result)];
  if (unjudged) complaints.push("judged, though its control port is of no use");
  if (!(harmless ? [0, 1, 4] : [1, 4]).includes(verdict.exitCode)) complaints.push(`exit code ${verdict.exitCode}`);
  for (const { id, outcome, level } of results) {
    if (outcome === "pass" && level === "must" && !mayPass.includes(id)) complaints.push(`${id}: passed`);
  }
  return complaints;
}

/** What is wrong with the texts of a report in any format. */
export async function unfitReports(report: Report): Promise<string[]> {
  const texts = await Promise.all(formatNames.map((format) => render(report, format)));
  return texts.flatMap((text, index) => unfitToPrint(text).map((what) => `${formatNames[index]}: ${what}`));
}
