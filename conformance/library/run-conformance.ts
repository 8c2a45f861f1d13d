/** `runConformance`: from what a program passes to the report. */
import { casesAt } from "../catalogue.ts";
import { UsageError } from "../foundation/usage-error.ts";
import { runCommand } from "../report/again.ts";
import { entriesIn } from "./suite-baseline.ts";
import type { Report, ReportedResult } from "../report/report.ts";
import { failOnLevels, type FailOn } from "../report/verdict.ts";
import { selectCases, type Selection } from "../run/selection.ts";
import { refuseForeignHost } from "../targets/foreign-host.ts";
import { leftBehind } from "../targets/state-folder.ts";
import { judgeCases, reportOf } from "./judging.ts";
import { profileFor, targetOf, type TargetInput } from "./target-input.ts";

/** The longest time limit, a week: Node fires timers of more than 24.8 days at once. */
const MOST_MINUTES = 10_000;

export interface ConformanceOptions {
  /** The name of a shipped profile, or a path to your own; by default the one that the target names. */
  readonly profile?: string;
  /** Ids of the cases to run, or patterns with * and ?; all by default. With fewer than all the verdict is `partial`. */
  readonly cases?: readonly string[];
  /** Leave out the cases that let real time pass or send very many requests; the verdict is `partial`. */
  readonly quick?: boolean;
  /** What the PROPERTY cases make their requests from; 1 by default. */
  readonly seed?: number;
  /** A file of known deviations: these do not turn the run red, but an entry that is no longer true does. */
  readonly baseline?: string;
  /** Which failures turn the run red; `gap` by default. */
  readonly failOn?: FailOn;
  /**
   * The longest time for the run; by default three times its estimate, from 5 to 60 minutes. Cases without a result by
   * then are `unreached`, so that the verdict is `incomplete`.
   */
  readonly maxMinutes?: number;
  /** Hosts other than this machine on which the target may listen: the suite floods and stalls it. */
  readonly allowHosts?: readonly string[];
  /** Receives each result as it comes; known deviations are not yet marked. */
  readonly onResult?: (progress: Progress) => void;
  /** Receives how long the run will take and why, once the target is up. */
  readonly onNotice?: (notice: string) => void;
  /** Ends the run early and stops the target. */
  readonly signal?: AbortSignal;
}

/** The result of one case, and how far the run is. */
export interface Progress extends Pick<ReportedResult, "id" | "title" | "level" | "outcome" | "ms"> {
  /** How many cases are done, including this one, and how many there are. */
  readonly done: number;
  readonly total: number;
}

export interface ConformanceResult {
  /** What `--report json=FILE` writes: plain data without secrets. */
  readonly report: Report;
  /** The report's own verdict: judgement, exit code, counts, ids of what failed, is open or is not covered. */
  readonly verdict: Report["verdict"];
}

export function selectionOf({ cases, quick = false }: Pick<ConformanceOptions, "cases" | "quick">): Selection {
  return { ...(cases && { cases: [...cases] }), quick };
}

export async function reportOn(input: TargetInput, options: ConformanceOptions): Promise<Report> {
  const { failOn = "gap", seed = 1, allowHosts = [], onResult, onNotice, signal, maxMinutes } = options;
  signal?.throwIfAborted();
  if (!failOnLevels.includes(failOn)) {
    throw new UsageError(`failOn is "${failOn as string}", expected one of: ${failOnLevels.join(", ")}`);
  }
  if (!Number.isSafeInteger(seed) || seed < 0) throw new UsageError(`seed is ${seed}, expected a whole number from 0`);
  if (maxMinutes !== undefined && !(maxMinutes > 0 && maxMinutes < MOST_MINUTES)) {
    throw new UsageError(`maxMinutes is ${maxMinutes}, expected a number above 0 and below ${MOST_MINUTES}`);
  }
  const target = refuseForeignHost(await targetOf(input), allowHosts);
  const profile = await profileFor(target, options.profile);
  const selection = selectionOf(options);
  const cases = selectCases(casesAt(seed), selection);
  const entries = await entriesIn(options.baseline, profile.name);
  const again =
    typeof input === "string"
      ? runCommand({ subject: ["--target", input], profile: options.profile, allowHosts })
      : undefined;
  const asked = { target, profile, selection, entries, failOn, again };
  let done = 0;
  const ran = await judgeCases(asked, cases, {
    onResult: ({ id, title, level, outcome, ms }, total) =>
      onResult?.({ id, title, level, outcome, ms, done: ++done, total }),
    ...(maxMinutes !== undefined && { maxMs: maxMinutes * 60_000 }),
    onNotice,
    signal,
  });
  const outcome = { ...ran.outcome, notes: [...ran.outcome.notes, ...leftBehind()] };
  signal?.throwIfAborted();
  return reportOf(asked, { ...ran, outcome }, seed);
}
