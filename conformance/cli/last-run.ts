/**
 * Which cases failed when a target was last judged, for `run --failed` and `run --watch`: one small file for each target
 * and profile in the user's cache folder. It holds names of cases and nothing that the target said.
 */
import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { writeFileWhole } from "../../fixtures/output.ts";
import { cases } from "../catalogue.ts";
import { readText } from "../foundation/read-file.ts";
import type { Report, ReportedResult } from "../report/report.ts";

const FORMAT = "webhooks-conformance/last-run@1";

const lastRunSchema = z.object({ format: z.literal(FORMAT), failed: z.array(z.string()) });

/** Identifies the target of a stored run: `--failed` takes the results of the same target only. */
export interface TargetIdentity {
  /** The options that name the target, as typed in this folder. */
  readonly subject: readonly string[];
  readonly profile: string;
}

/** The ids of cases that failed, or could not be judged, when they were judged last; none where no run is known. */
export async function lastFailed(held: TargetIdentity): Promise<readonly string[]> {
  try {
    const { failed } = lastRunSchema.parse(JSON.parse(await readText(fileFor(held), "the last run")));
    return cases.map(({ id }) => id).filter((id) => failed.includes(id));
  } catch {
    // No run yet, or a file that something else has spoilt: both mean that nothing is known.
    return [];
  }
}

/** Whether the result says how the whole case fares; one that was left out or does not apply says nothing. */
export const isJudged = ({ outcome }: Pick<ReportedResult, "outcome">): boolean => outcome !== "not-applicable";

/** Keeps which cases failed; those that this report did not judge stay as they were. */
export async function keepFailed({ results, verdict, selection }: Report, held: TargetIdentity): Promise<void> {
  // One row that passes does not clear its whole case.
  if (selection.row !== undefined) return;
  const judged = results.filter(isJudged).map(({ id }) => id);
  const earlier = (await lastFailed(held)).filter((id) => !judged.includes(id));
  const text = JSON.stringify({ format: FORMAT, failed: [...earlier, ...verdict.failed, ...verdict.open] });
  try {
    await mkdir(cacheFolder(), { recursive: true, mode: 0o700 });
    await writeFileWhole(fileFor(held), [`${text}\n`]);
  } catch {
    // Without a folder to write to the verdict stands all the same, and --failed says that it knows of no run.
  }
}

function fileFor({ subject, profile }: TargetIdentity): string {
  const name = createHash("sha256")
    .update(JSON.stringify([process.cwd(), subject, profile]))
    .digest("hex");
  return join(cacheFolder(), `${name.slice(0, 32)}.json`);
}

/** By the XDG base directory specification, which names ~/.cache as the default. */
function cacheFolder(): string {
  const { XDG_CACHE_HOME: home = "" } = process.env;
  return join(home === "" ? join(homedir(), ".cache") : home, "webhooks-conformance");
}
