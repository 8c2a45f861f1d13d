/** Judges one hostile target in this process, with few cases: a run ends, passes nothing, and its reports can be printed. */
import type { Case } from "../../harness/case.ts";
import { cases } from "../../catalogue.ts";
import { StartError } from "../../foundation/start-error.ts";
import { readProfile } from "../../interface/profile.ts";
import { formatNames, render } from "../../report/formats.ts";
import { conclude, draftReport } from "../../report/make-report.ts";
import type { Report } from "../../report/report.ts";
import { runContext } from "../../run/context.ts";
import { withSourcesFor } from "../../run/plan.ts";
import { run } from "../../run/run.ts";
import { keyringFor } from "../../targets/secrets-file.ts";
import { launchedTarget, launchOf } from "../launch.ts";
import { unexplained, unfitToPrint } from "./complaints.ts";
import type { Hostile } from "./hostile.ts";

/** One case for each way to send and to read back, with few requests, since each may run into its timeout. */
const overRoutes = [
  "SESSION-KEY-LONGER",
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
  const impatient = launchedTarget(id, launchOf(change), { requestTimeoutMs: IMPATIENCE_MS });
  const target = withSourcesFor(judgedCases, impatient);
  const profile = await readProfile("reference", ".");
  const selection = { quick: false, cases: undefined };
  try {
    const context = runContext({ target, profile, cases: judgedCases, keyring: await keyringFor(target) });
    const outcome = await run(context);
    return conclude(draftReport({ ...context, outcome, suite: cases, selection, failOn: "gap" }), undefined);
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
