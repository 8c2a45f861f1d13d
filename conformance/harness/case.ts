/** A case: data about what is judged, and one function that judges it. */
import type { ClauseId } from "../interface/clauses/index.ts";
import type { GapId } from "../interface/gaps.ts";
import type { VariantName } from "../targets/variants.ts";
import type { Trial } from "./trial.ts";
import type { Level } from "../interface/level.ts";
import type { Capability } from "./capability.ts";
import type { Watcher } from "./watcher.ts";

export const isInvariant = (id: string): boolean => /^(ALWAYS|NEVER)-/.test(id);

export interface Case {
  /** Written by hand, never reused, never renamed. */
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly ClauseId[];
  /** By default `must`, or `gap` for a case with `gaps`. */
  readonly level?: "must" | "should";
  /** Advice because another gateway may do this itself: `must` for a plugin that the kit's own gateway hosts. */
  readonly mustInOwnGateway?: true;
  /** The gaps that it reads from the profile; it judges those that are bound. Without any a `gap` case is not applicable. */
  readonly gaps?: readonly GapId[];
  readonly needs?: readonly Capability[];
  /** Optional capabilities: judged too where the target has them. */
  readonly uses?: readonly Capability[];
  /** The configuration that the case needs; the standard one by default. */
  readonly variant?: VariantName;
  /** Touches what is global to the target (faults, a flood of keys), so the case runs alone on a server of its own. */
  readonly alone?: true;
  /** Looks at all that a session holds: no other case uses the lane meanwhile. */
  readonly ownLane?: true;
  /** Seconds that have to pass. Where the target's clock can be driven the runner drives it, and the case runs alone. */
  readonly seconds?: number;
  /** The case can detect more with a driven clock, as cases that need `clock` do: it runs there where both clocks exist. */
  readonly clock?: "driven";
  /** Waits for an effect that must not happen. Of the cases that run alone these do so side by side: none may disturb another. */
  readonly idles?: true;
  /** Real time that the case may take beyond the limit of every case, ms. */
  readonly longestMs?: number;
  /** Requests on the case's busiest key, at most: paces the case where the target does not tell client addresses apart. */
  readonly requests: number;
  /** The replay file that the case was read from; absent for the suite's own cases. */
  readonly file?: string;
  /** Sends hundreds of requests, so what runs alone has one more server for it. `--quick` leaves the case out, and `npm run prove` runs it only on subjects that it must catch. */
  readonly costly?: true;
  /** Measures a number that the interface states: `--quick` judges the case, although it is costly, where the clock is driven. */
  readonly isQuickIfDriven?: true;
  /** Provokes a limit: a 429 is no error of the harness. */
  readonly meetsLimits?: true;
  /** Of a case made of rows: what may meet in one, by factor; the usual value first. */
  readonly factors?: Readonly<Record<string, readonly string[]>>;
  /** The rows of a target that has all of these values. */
  readonly allRows?: () => readonly Readonly<Record<string, string>>[];
  /** The same case with one row alone: these values, and the usual ones of the other factors. */
  readonly withRow?: (values: Readonly<Record<string, string>>) => Case;
  /** How the clause was read, and what else would be lawful; shown by `explain`. */
  readonly reading?: string;
  /** For an invariant: judges every exchange of the run. `run` then only makes sure that there is something to see. */
  readonly watch?: () => Watcher;
  run(trial: Trial): Promise<void>;
}

/** What a failure of the case means; `isOwnGateway`: the kit's own gateway hosts the target. */
export const levelOf = (
  { level, gaps = [], mustInOwnGateway }: Pick<Case, "level" | "gaps" | "mustInOwnGateway">,
  isOwnGateway = false,
): Level => (isOwnGateway && mustInOwnGateway === true ? "must" : (level ?? (gaps.length > 0 ? "gap" : "must")));
