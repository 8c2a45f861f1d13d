/** Reads a baseline of this suite, for the command line and for programs. */
import { cases } from "../catalogue.ts";
import { readJson } from "../foundation/read-file.ts";
import type { Baseline } from "../report/baseline/baseline.ts";
import { checkBaseline, type BaselineContext } from "../report/baseline/read.ts";

/** Throws `UsageError` with the faults. */
export async function readBaseline(file: string, context: Omit<BaselineContext, "caseIds">): Promise<Baseline> {
  const caseIds = cases.map(({ id }) => id);
  return checkBaseline(await readJson(file, `the baseline ${file}`), file, { ...context, caseIds });
}

/** The entries of the baseline that a run is held against, if any. Throws `UsageError` with the faults. */
export async function entriesIn(file: string | undefined, profile: string): Promise<Baseline["entries"] | undefined> {
  return file === undefined ? undefined : (await readBaseline(file, { profile })).entries;
}
