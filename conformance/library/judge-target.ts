/** From a target to a report with its verdict: what the command line and a library's user both call. */
import type { BaselineEntry } from "../report/baseline/baseline.ts";
import type { Case } from "../harness/case.ts";
import { cases as suite } from "../catalogue.ts";
import { redactor } from "../http/redact.ts";
import type { Profile } from "../interface/gaps.ts";
import type { Depth } from "../properties/search.ts";
import { conclude, draftReport } from "../report/make-report.ts";
import type { Report } from "../report/report.ts";
import type { Selection } from "../run/selected.ts";
import type { CaseResult } from "../harness/result.ts";
import { runRounds } from "../run/rounds.ts";
import { secretsOf } from "../targets/keyring.ts";
import { keyringFor } from "../targets/secrets-file.ts";
import { StartError } from "../foundation/start-error.ts";
import type { Target } from "../targets/target-file.ts";
import type { FailOn } from "../report/verdict.ts";

export interface JudgementOptions {
  readonly target: Target;
  readonly profile: Profile;
  /** The cases to run, and how they were chosen. */
  readonly cases: readonly Case[];
  readonly selection: Selection;
  readonly failOn: FailOn;
  /** Known deviations, as checked by `readBaseline`. */
  readonly baseline?: readonly BaselineEntry[] | undefined;
  /** How often everything runs; once by default. */
  readonly repeat?: number;
  /** Makes the order of the cases; the suite's own by default. */
  readonly shuffle?: number | undefined;
  /** The command that runs it again, up to the choice of cases; for the report. */
  readonly again?: string;
  /** How deep the properties among the cases look; for the report. */
  readonly depth?: Depth | undefined;
  /** Told each result as it comes, secrets still in it, known deviations not yet marked. */
  readonly onResult?: (result: CaseResult, total: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Runs the cases and gives the report, which holds no secret. Throws `StartError` when the target cannot be started or
 * reached, `UsageError` when a running target's secrets are not there.
 */
export async function judgeTarget(options: JudgementOptions): Promise<Report> {
  const { target, profile, cases, selection, failOn, repeat = 1, shuffle, again, depth, onResult, signal } = options;
  const keyring = await keyringFor(target);
  const redact = redactor(secretsOf(keyring));
  const startedAt = new Date();
  const what = { target, profile, cases, keyring, quick: selection.quick };
  const told = { ...(onResult && { onResult }), ...(signal && { signal }) };
  try {
    const outcome = await runRounds({ ...what, ...told }, repeat, shuffle);
    const asked = { suite, selection, failOn, again, depth };
    const draft = draftReport({ target, profile, outcome, startedAt, redact, ...asked });
    return conclude(draft, options.baseline);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw new StartError(redact(error.message), { stderrTail: redact(error.stderrTail), exited: error.exited });
  }
}
