/** A property: what is generated, how it becomes requests, and what it stands for. */
import type * as fc from "fast-check";
import type { Case } from "../../harness/case.ts";
import type { Step, Story } from "../../story/story.ts";
import type { Met, World } from "../../oracle/world.ts";

/** `gaps`: judged only where the profile binds these; `needs`: beside client addresses. */
export interface Property<Intent = unknown> extends Pick<Case, "id" | "title" | "clauses" | "gaps" | "needs"> {
  readonly reading: string;
  /** Stories, all at the same time: each has routes of its own. */
  readonly runs: number;
  /** The set-up of each run. */
  readonly begin: Story;
  /** What one run asks for. */
  readonly intents: fc.Arbitrary<Intent[]>;
  /** The steps of an intent, by what is known of the target when its turn comes. */
  plan(world: World, intent: Intent): Iterable<Step>;
  /** Why stories that met no more than this prove less than they should: the case is unreached. */
  readonly shortfall?: (met: ReadonlySet<Met>) => string | undefined;
}
