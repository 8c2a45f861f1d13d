/** The parts of a result that programs read: kept apart, so that their types bring no others with them. */
import type { ReplayFile } from "../story/replay-file.ts";
import type { Interval, LimitName } from "../interface/limits.ts";

export type Outcome = "pass" | "fail" | "warn" | "known" | "not-applicable" | "unreached" | "error";

/** A response to a step of a story, or several that are alike. */
export interface StepAnswer {
  /** `409 ok:false revision_conflict`. */
  readonly answer: string;
  /** How many are alike; absent for one. */
  readonly times?: number;
  /** The revision of the flow that it shows, where the story is about overlapping changes. */
  readonly revision?: number;
  /** Of a request among several at the same time. */
  readonly sent?: OverlappingRequest;
}

export interface OverlappingRequest {
  readonly what: string;
  readonly action?: string;
  /** From its first byte to its answer, as parts (0 to 1) of the time that all of them took. */
  readonly from: number;
  readonly to: number;
}

export interface ToldStep {
  /** `set_waiting flowId=f1`. */
  readonly what: string;
  readonly action?: string;
  readonly answers: readonly StepAnswer[];
  /** What came the second time, where the target answered otherwise. */
  readonly secondAnswers?: readonly StepAnswer[];
}

/** What a case did before its failure: one request or several alike, or something beside requests. */
export interface EarlierStep {
  /** From 1; earlier steps that are left out are counted. */
  readonly number: number;
  /** `run_task runtime="acp"`. */
  readonly what: string;
  readonly action?: string;
  /** `200 ok:true`; absent where nothing was sent. */
  readonly answer?: string;
  /** How many alike followed each other; absent for one. */
  readonly times?: number;
}

/** What a property found, shrunk to few requests. */
export interface StoryReport {
  /** Where the story comes from: seed and run. */
  readonly note?: string;
  /** The last one is where the story broke, unless the target answered otherwise the second time. */
  readonly steps: readonly ToldStep[];
  /** Requests beside the set-up. */
  readonly requests: number;
  /** For `replay`; absent where the target answers the same requests differently each time. */
  readonly replay?: ReplayFile;
}

/** A part of what has to meet for a row to fail: a factor, with the values that fail and how many others do not. */
export interface Combination {
  readonly factor: string;
  readonly values: readonly string[];
  readonly right: number;
}

/** What of a table of factors was judged. */
export interface Coverage {
  readonly pairs: Met;
  readonly triples: Met;
  /** The values that were in no request: the target does not have them. */
  readonly without: readonly { readonly factor: string; readonly values: readonly string[] }[];
}

/** How many of the combinations of factors' values were judged, of those that can be. */
interface Met {
  readonly met: number;
  readonly of: number;
}

/** The target's own value of a limit, as reports have it. */
export interface Measure extends Interval {
  readonly limit: LimitName;
  readonly stated: string;
  /** The value for people. */
  readonly measured: string;
  /** In which circumstances. */
  readonly note?: string | undefined;
}
