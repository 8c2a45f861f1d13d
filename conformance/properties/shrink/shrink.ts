/** The fewest requests that still show the same departure. */
import type { Story } from "../../story/story.ts";
import type { Broken } from "../oracle/broken.ts";
import { makeSmaller } from "./passes.ts";
import type { Replays } from "./replays.ts";

const MAX_PLAYS = 400;
/** Some departures need two requests in one moment: so often the smallest story is played before it is given up. */
const TRIES = 3;

export interface Shrunk {
  /** Absent where it did not break again. */
  readonly shrunk?: Broken;
  /** Why it was not made as small as it might be. */
  readonly stopped?: string;
}

/** Shrinks a confirmed story. What was found is told, whatever happens: a target that dies leaves the story as small as it was then. */
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
  // All of it did not break again, but less of it may: that is enough.
  if (!brokeAgain && broken === from) return { stopped: replays.stopped ?? "they did not break again" };
  // A target that died just now has shown the departure in the play before; one that depends on moments may not have.
  const isTrusted = () => replays.stopped !== undefined && repeats === "always";
  let told = broken === from || isTrusted() ? broken : undefined;
  // What breaks in haste only, or now and then, is no departure of these requests.
  for (let tries = 0; tries < TRIES; tries += 1) told ??= await replays.play(broken.story);
  if (isTrusted()) told ??= broken;
  if (told === undefined)
    return { shrunk: from, stopped: replays.stopped ?? "those that were tried did not break again" };
  const stopped = replays.stopped ?? (cutShort ? "the time for making it smaller was over" : undefined);
  return { shrunk: told, ...(stopped !== undefined && { stopped }) };
}
