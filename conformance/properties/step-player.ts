/** What plays the steps of a story on a target and judges the answers. */
import type { Executor } from "./executor.ts";
import type { Broken } from "./player.ts";
import type { Step } from "../story/story.ts";
import type { World } from "./world.ts";

export interface StepPlayer {
  readonly world: World;
  /** Requests sent so far. */
  readonly requests: number;
  /** Steps left out because what they refer to is not there. */
  readonly skipped: number;
  /** The answers so far, one for each step that was played; absent where a step is answered by nothing. */
  readonly answers: readonly (string | undefined)[];
  /** Plays one step; gives the story so far when that shows a departure. */
  play(step: Step): Promise<Broken | undefined>;
  /** Breaks off what is still held, and heals what was made to fail. */
  close(): void | Promise<void>;
}

export interface Playing {
  readonly world: World;
  readonly executor: Executor;
  /** The story is known to break: a departure need not be waited for as long as a right target might take. */
  readonly hasty?: boolean;
}
