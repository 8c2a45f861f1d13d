/** A story that showed a departure. */
import type { Exchange } from "../../http/exchange.ts";
import type { Story } from "../../story/story.ts";
import type { Departure } from "./departure.ts";

/** A story up to the request that showed the departure. */
export interface Broken {
  readonly story: Story;
  readonly departure: Departure;
  /** The responses in order, one for each step that was sent; those of other steps are absent. */
  readonly answers: readonly (string | undefined)[];
  readonly exchange: Exchange | undefined;
}

/** Whether the same requests break the same clause again: `by chance`, only sometimes, a story is played several times. */
export type Repeats = "always" | "by chance";
