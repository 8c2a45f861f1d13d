/** Finds the fewest requests that still show the same departure. */
import type { Story } from "../../story/story.ts";
import type { Broken } from "../../oracle/broken.ts";
import { makeSmaller } from "./passes.ts";
import type { Replays } from "./replays.ts";

const MAX_PLAYS = 400;
/** How often the smallest story is played before it is given up: some departures need two simultaneous requests. */
const TRIES = 3;

export interface Shrunk {
  /** Absent where it did not break again. */
  readonly shrunk?: Broken;
  /** Why it was not made as small as it might be. */
  readonly stopped?: string;
}

/** Shrinks a confirmed story. If the target dies meanwhile, the smallest story so far is reported. */
export async function shrink(
  { from, brokeAgain }: { from: Broken; brokeAgain: boolean },
  replays: Replays,
): Promise<Shrunk> {
  const { repeats } = replays;
  const { broken, cutShort } = await makeSmaller(from, {
    play: (story: Story) => replays.play(story, true),
    maxPlays: MAX_PLAYS,
    stop: () => replays.isOver,
    anyClause: repeats === "by chance",
  });
  // The whole story did not break again, but a smaller one may: that is enough.
  if (!brokeAgain && broken === from) return { stopped: replays.stopped ?? "they did not break again" };
  // A target that just died showed the departure in the last play, unless it shows by chance only.
  const isTrusted = () => replays.stopped !== undefined && repeats === "always";
  let replayed = broken === from || isTrusted() ? broken : undefined;
  // A story that breaks only with short waits, or only sometimes, does not prove a departure of these requests.
  for (let tries = 0; tries < TRIES; tries += 1) replayed ??= await replays.play(broken.story);
  if (isTrusted()) replayed ??= broken;
  if (replayed === undefined) {
    return { shrunk: from, stopped: replays.stopped ?? "those that were tried did not break again" };
  }
  const stopped = replays.stopped ?? (cutShort ? "the time for making it smaller was over" : undefined);
  return { shrunk: replayed, ...(stopped !== undefined && { stopped }) };
}
