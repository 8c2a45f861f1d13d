/** A property: what is generated, how it becomes requests, what it stands for. */
import type * as fc from "fast-check";
import type { Capability } from "../harness/capability.ts";
import type { ClauseId } from "../interface/clauses/index.ts";
import type { GapId } from "../interface/gaps.ts";
import type { Executor } from "./executor.ts";
import type { Watch } from "./player.ts";
import type { Playing, StepPlayer } from "./step-player.ts";
import type { Step, Story } from "../story/story.ts";
import type { Visits } from "./visits.ts";
import type { World } from "./world.ts";

/** What it takes to play a story again. */
export type Played = Pick<Property, "player" | "watch" | "narrow" | "clauses">;

export interface Property<Wish = unknown> {
  /** The id of its case. */
  readonly id: string;
  readonly title: string;
  readonly clauses: readonly ClauseId[];
  /** Judged only where the profile binds these. */
  readonly gaps?: readonly GapId[];
  /** What it needs of the target beside client addresses. */
  readonly needs?: readonly Capability[];
  /** Runs at default depth. */
  readonly runs: number;
  /** The set-up of each run. */
  readonly begin: Story;
  /** What one run asks for. */
  readonly wishes: fc.Arbitrary<Wish[]>;
  /** The requests for a wish, by what is known of the target when its turn comes. */
  plan(world: World, wish: Wish): Iterable<Step>;
  /** Judges answers beside the world. Made anew for each run. */
  readonly watch?: (executor: Executor, world: World) => Watch;
  /** Plays its stories in a way of its own. */
  readonly player?: (playing: Playing) => StepPlayer;
  /** Stories at the same time, where they would disturb each other. */
  readonly width?: number;
  /** It tells moments apart, so a target whose answers take long is not judged by it. */
  readonly quickAnswers?: true;
  /** Steps that make the difference: where a story breaks without them too, the target remembers other stories' and nothing is made smaller. */
  readonly without?: Step["do"];
  /** How often a story is played until it breaks again, where that is a matter of chance. */
  readonly tries?: number;
  /** Departures from other clauses are left to other cases: a target with one of those is judged by this, too. */
  readonly narrow?: true;
  /** Its visit table has to be full: a reachable cell that is nearly empty leaves the case unreached. */
  readonly covers?: true;
  /** Why what was visited proves nothing, where that is so: the case is unreached. */
  readonly lacks?: (visits: Visits) => string | undefined;
  readonly reading?: string;
}

/** The clauses that a story is judged by; undefined for all. */
export const judgedBy = ({ narrow, clauses }: Partial<Played>): readonly ClauseId[] | undefined =>
  narrow === true ? clauses : undefined;
