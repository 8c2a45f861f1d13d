/** What a user of the library may ask for and is told. */
import type { Level } from "../interface/level.ts";
import type { Report } from "../report/report.ts";
import type { Outcome } from "../harness/result.ts";
import type { FailOn } from "../report/verdict.ts";

export interface ConformanceOptions {
  /** A shipped profile's name, or a path to one of your own; the target's own by default. */
  readonly profile?: string;
  /** Ids of the cases to run, or patterns with * and ?; all of them by default. A part gives a verdict that says `partial`. */
  readonly cases?: readonly string[];
  /** Leave out what lets real time pass or sends very many requests: a partial run. */
  readonly quick?: boolean;
  /** A file of known deviations: these do not turn the run red, but an entry that is no longer true does. */
  readonly baseline?: string;
  /** Which failures turn the run red; `gap` by default. */
  readonly failOn?: FailOn;
  /** Hosts other than this machine that the target may listen on: the suite floods and stalls it. */
  readonly allowHosts?: readonly string[];
  /** Told each result as it comes; known deviations are not yet marked. */
  readonly onResult?: (progress: Progress) => void;
  /** Breaks the run off and stops the target. */
  readonly signal?: AbortSignal;
}

/** One case has been judged. */
export interface Progress {
  readonly id: string;
  readonly title: string;
  readonly level: Level;
  readonly outcome: Outcome;
  readonly ms: number;
  /** How many are done, this one included, and how many there will be. */
  readonly done: number;
  readonly total: number;
}

export interface ConformanceResult {
  /** What `--format json` writes: plain data, no secret in it. */
  readonly report: Report;
  /** The report's own verdict: judgement, exit code, counts, ids of what failed, is open or is not covered. */
  readonly verdict: Report["verdict"];
}
