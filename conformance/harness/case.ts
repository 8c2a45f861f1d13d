/** A case: data about what is judged, and one function that judges it. */
import type { ClauseId } from "../interface/clauses/index.ts";
import type { GapId } from "../interface/gaps.ts";
import type { VariantName } from "../targets/variants.ts";
import type { Trial } from "./trial.ts";
import type { Level } from "../interface/level.ts";
import type { Capability } from "./capability.ts";

export interface Case {
  /** Hand-written and for ever: never reused, never renamed. */
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly ClauseId[];
  readonly level: Level;
  /** The gaps that a `gap` case reads from the profile; it judges those that are bound, and without any it is not applicable. */
  readonly gaps?: readonly GapId[];
  readonly needs?: readonly Capability[];
  /** The configuration that it runs with; the standard one by default. */
  readonly variant?: VariantName;
  /** It touches what is global to the target (faults, a flood of keys): it runs alone on an instance of its own. */
  readonly alone?: true;
  /** Seconds that it lets pass; driven where the target's clock can be, then it runs alone too. */
  readonly seconds?: number;
  /** It mostly waits for the target to do what it must not. Alone it comes early, while other instances are kept busy. */
  readonly idles?: true;
  /** Real time that it may take beyond what every case may, ms. */
  readonly longestMs?: number;
  /** Requests on its busiest key, at most: how it is paced where addresses are not told apart. */
  readonly requests: number;
  /** The replay file that it was read from: none of the suite's cases. */
  readonly file?: string;
  /** It sends hundreds of requests: `--quick` leaves it out, and where many targets are judged it is only for those that it has to find. */
  readonly costly?: true;
  /** It means to meet a limit, so a 429 is no surprise. */
  readonly meetsLimits?: true;
  /** How the clause was read, and what else would be lawful; shown by `explain`. */
  readonly reading?: string;
  run(trial: Trial): Promise<void>;
}
