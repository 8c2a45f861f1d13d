/** A departure from the interface, and the story that showed it. */
import { departure, type Departure } from "../harness/finding.ts";
import type { StepAnswer } from "../harness/outcome.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Story } from "../story/story.ts";

export { departure, type Departure };

/** A story up to the request that showed the departure. */
export interface Broken {
  readonly story: Story;
  readonly departure: Departure;
  /** The responses to each step, in order; a step that sends nothing has none. */
  readonly answers: readonly (readonly StepAnswer[])[];
  readonly exchange: Exchange | undefined;
}

/** Whether the same requests break the same clause again: `by chance`, only sometimes, a story is played several times. */
export type Repeats = "always" | "by chance";
