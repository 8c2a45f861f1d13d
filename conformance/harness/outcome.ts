/** The parts of a result that programs read: kept apart, so that their types bring no others with them. */
import type { ReplayFile } from "../story/replay-file.ts";
import type { Interval, LimitName } from "../interface/limits.ts";

export type Outcome = "pass" | "fail" | "warn" | "known" | "not-applicable" | "unreached" | "error";

/** What a property found, shrunk to few requests. */
export interface StoryReport {
  /** The numbered requests with their answers, for people. */
  readonly lines: readonly string[];
  /** Requests beside the set-up. */
  readonly requests: number;
  /** For `replay`; absent where the target answers the same requests differently each time. */
  readonly replay?: ReplayFile;
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
